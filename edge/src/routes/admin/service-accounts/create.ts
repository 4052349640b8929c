import { uuidv7 } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { INSTANCE_ROLES, WORKSPACE_ROLES } from '../../../config/roles.ts';
import { insertServiceAccount } from '../../../store/service-accounts.ts';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { type createdServiceAccount, toServiceAccount } from '../../../wire/service-account.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name, uuid } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireGrantableAccountRole, expiry, createServiceAccountSecret } from './fields.ts';

/** The body to create a service account. */
export const createServiceAccountBody = z
  .object({
    name,
    instance_role: z.enum(INSTANCE_ROLES).optional().meta({ description: 'For the whole gateway.' }),
    workspace_id: uuid.optional().meta({ type: 'string', format: 'uuid' }),
    workspace_role: z.enum(WORKSPACE_ROLES).optional(),
    expires_at: expiry,
  })
  .refine((one) => (one.workspace_id === undefined) === (one.workspace_role === undefined), {
    error: 'workspace_id and workspace_role go together',
    path: ['workspace_role'],
  })
  .refine((one) => (one.instance_role === undefined) !== (one.workspace_role === undefined), {
    error: 'give either instance_role, or workspace_id and workspace_role',
    path: ['instance_role'],
  })
  .meta({ id: 'NewServiceAccount' });

/** Creates a service account; only this response contains its secret. */
export async function createServiceAccount(
  { principal, body }: Input<undefined, undefined, z.output<typeof createServiceAccountBody>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof createdServiceAccount>>> {
  const { workspace_id: workspaceId = null, workspace_role: workspaceRole = null, instance_role: instanceRole = null } = body;
  const role = { instanceRole, workspaceId, workspaceRole };
  requireGrantableAccountRole(principal, role);
  if (workspaceId !== null) await requireWorkspaceExists(db, workspaceId);
  const { secret, digest } = createServiceAccountSecret();
  const id = uuidv7();
  const { kind, id: maker } = principal.actor ?? { kind: 'unknown', id: null };
  const createdBy = maker === null ? kind : `${kind}:${maker}`;
  const row = { id, name: body.name, ...role, expiresAt: body.expires_at ? new Date(body.expires_at) : null, digest, createdBy };
  const details = { name: body.name, instance_role: instanceRole, workspace_role: workspaceRole };
  const audit = toAuditEntry(principal, { action: 'service_account.create', workspaceId: workspaceId ?? undefined, targetId: id, details });
  const stored = await insertServiceAccount(db, row, audit);
  return { body: { ...toServiceAccount(stored), client_secret: secret }, headers: { 'cache-control': 'no-store' } };
}
