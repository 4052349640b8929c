import { type z } from 'zod';
import { revokeKey as revoke } from '../../../store/keys.ts';
import { type apiKey, toApiKey } from '../../../wire/admin.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** Revokes an API key permanently, at every edge within a second; does nothing when it is revoked already. */
export async function revokeKey(
  { principal, params }: Input<z.output<typeof idParams>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>>> {
  const key = await revoke(deps.db, params.id, toAuditEntry(principal, { action: 'key.revoke', targetId: params.id }));
  invalidateEverywhere(deps, key.id);
  return { body: toApiKey(key) };
}
