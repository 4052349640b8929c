import { uuidv7 } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { insertUser } from '../../../store/users.ts';
import { assertWorkspace } from '../../../store/workspaces.ts';
import { toUser, type user } from '../../../wire/admin.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { workspaceId } from '../fields.ts';
import { toAuditEntry } from '../on-behalf.ts';

/** A user to create. */
export const newUser = z
  .object({ display_name: name, workspace_id: workspaceId, role: z.enum(['owner', 'member']).default('member') })
  .meta({ id: 'NewUser' });

/** Creates a user as a member of a workspace. */
export async function createUser(
  { principal, body }: Input<undefined, undefined, z.output<typeof newUser>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof user>>> {
  const { display_name: displayName, workspace_id, role } = body;
  await assertWorkspace(db, workspace_id);
  const id = uuidv7();
  const audit = toAuditEntry(principal, { action: 'user.create', workspaceId: workspace_id, targetId: id, details: { role } });
  return { body: toUser(await insertUser(db, { id, displayName, workspaceId: workspace_id, role }, audit)) };
}
