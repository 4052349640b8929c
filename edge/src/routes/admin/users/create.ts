import { uuidv7 } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { NO_RIGHTS, WORKSPACE_ROLES } from '../../../config/roles.ts';
import { requireGrantPermission } from '../../../identity/role-grants.ts';
import { insertUser } from '../../../store/users.ts';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { toUser, type user } from '../../../wire/admin.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { email, name } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { workspaceId } from '../fields.ts';

/** The body to create a user; a user with an email can get a link to set a password. */
export const createUserBody = z
  .object({ display_name: name, email: email.optional(), workspace_id: workspaceId, role: z.enum(WORKSPACE_ROLES).default('member') })
  .meta({ id: 'NewUser' });

/** Creates a user as a member of a workspace. */
export async function createUser(
  { principal, body }: Input<undefined, undefined, z.output<typeof createUserBody>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof user>>> {
  const { display_name: displayName, email: address = null, workspace_id, role } = body;
  requireGrantPermission(principal.actor?.rights ?? NO_RIGHTS, { workspaceId: workspace_id, workspaceRole: role });
  await requireWorkspaceExists(db, workspace_id);
  const id = uuidv7();
  const audit = toAuditEntry(principal, { action: 'user.create', workspaceId: workspace_id, targetId: id, details: { role } });
  return { body: toUser(await insertUser(db, { id, displayName, email: address, workspaceId: workspace_id, role }, audit)) };
}
