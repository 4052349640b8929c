import { type z } from 'zod';
import { revokeOwnKey as revoke } from '../../../../store/own-keys.ts';
import { type apiKey, toApiKey } from '../../../../wire/admin.ts';
import { toAuditEntry } from '../../../audit-entry.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type ownKeyParams } from './fields.ts';

/** Revokes an own key permanently, at every edge within a second; does nothing when it is revoked already. */
export async function revokeOwnKey(
  { principal, params }: Input<z.output<typeof ownKeyParams>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>>> {
  const { workspace_id: workspaceId, key_id: id } = params;
  const audit = toAuditEntry(principal, { action: 'key.revoke', workspaceId, targetId: id });
  const key = await revoke(deps.db, { userId: principal.userId, workspaceId, id }, audit);
  invalidateEverywhere(deps, key.id);
  return { body: toApiKey(key) };
}
