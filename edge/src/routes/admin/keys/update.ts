import { z } from 'zod';
import { updateKey as update } from '../../../store/keys.ts';
import { type apiKey, toApiKey } from '../../../wire/admin.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, hasDefinedField, quotas, toQuotaChange } from '../fields.ts';

/** The body of a change of an API key. */
export const updateKeyBody = z
  .object({ name: name.optional(), quotas: quotas.optional() })
  .refine(hasDefinedField, 'at least one field is required')
  .meta({ id: 'ApiKeyChange' });

/** Renames an API key or sets its quotas; in effect at every edge within a second. */
export async function updateKey(
  { principal, params, body }: Input<z.output<typeof idParams>, undefined, z.output<typeof updateKeyBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>>> {
  const change = { ...(body.name !== undefined && { name: body.name }), ...toQuotaChange(body.quotas) };
  const key = await update(deps.db, params.id, change, toAuditEntry(principal, { action: 'key.update', targetId: params.id }));
  invalidateEverywhere(deps, key.id);
  return { body: toApiKey(key) };
}
