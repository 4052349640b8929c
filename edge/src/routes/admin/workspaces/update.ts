import { z } from 'zod';
import { requirePermission } from '../../../identity/require-permission.ts';
import { updateWorkspace as update } from '../../../store/workspaces.ts';
import { activeStatus, maxConcurrency, toWorkspace, type workspace } from '../../../wire/admin.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, hasDefinedField, quotas, toQuotaChange } from '../fields.ts';

/** The body of a change of a workspace. */
export const updateWorkspaceBody = z
  .object({
    name: name.optional(),
    status: activeStatus.optional(),
    max_concurrency: maxConcurrency.nullable().optional(),
    quotas: quotas.optional(),
  })
  .refine(hasDefinedField, 'at least one field is required')
  .meta({ id: 'WorkspaceChange' });

/**
 * Changes the name, the status, the concurrency limit or the quotas of a workspace; in effect at every edge within a second. Admins of the
 * workspace may only rename it.
 * @throws GatewayError PERMISSION_DENIED
 */
export async function updateWorkspace(
  { principal, params, body }: Input<z.output<typeof idParams>, undefined, z.output<typeof updateWorkspaceBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof workspace>>> {
  const { name, status, max_concurrency: bound } = body;
  if (hasDefinedField({ status, bound, quotas: body.quotas })) requirePermission(principal, 'workspaces.bound', params.id);
  const change = {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(bound !== undefined && { maxConcurrency: bound }),
    ...toQuotaChange(body.quotas),
  };
  const audit = toAuditEntry(principal, { action: 'workspace.update', workspaceId: params.id, targetId: params.id });
  const changed = await update(deps.db, params.id, change, audit);
  invalidateEverywhere(deps, changed.id);
  return { body: toWorkspace(changed) };
}
