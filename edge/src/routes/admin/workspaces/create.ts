import { uuidv7 } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { insertWorkspace } from '../../../store/workspaces.ts';
import { toWorkspace, type workspace } from '../../../wire/admin.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { quotas, toQuotaChange } from '../fields.ts';

/** The body to create a workspace. */
export const createWorkspaceBody = z.object({ name, quotas: quotas.optional() }).meta({ id: 'NewWorkspace' });

/**
 * Creates a workspace without keys and connections. A user who creates it becomes its owner; created by the operator or a service account,
 * it has no members.
 */
export async function createWorkspace(
  { principal, body }: Input<undefined, undefined, z.output<typeof createWorkspaceBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof workspace>>> {
  const id = uuidv7();
  const row = { name: body.name, ...toQuotaChange(body.quotas) };
  const ownerId = principal.actor?.kind === 'user' ? principal.actor.id : null;
  const details = { ...row, owner_id: ownerId };
  const audit = toAuditEntry(principal, { action: 'workspace.create', workspaceId: id, targetId: id, details });
  const stored = await insertWorkspace(deps.db, { id, ...row }, ownerId, audit);
  if (ownerId !== null) invalidateEverywhere(deps, ownerId);
  return { body: toWorkspace(stored) };
}
