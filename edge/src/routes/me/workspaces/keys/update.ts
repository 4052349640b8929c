import { type z } from 'zod';
import { updateOwnKey as update } from '../../../../store/own-keys.ts';
import { type apiKey, toApiKey } from '../../../../wire/admin.ts';
import { toQuotaChange } from '../../../admin/fields.ts';
import { type updateKeyBody } from '../../../admin/keys/update.ts';
import { toAuditEntry } from '../../../audit-entry.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type ownKeyParams } from './fields.ts';
import { toQuotaTexts, requireQuotasWithinBounds } from './quota-bounds.ts';

/** Renames an own key, or lowers its quotas: only an admin may raise them. */
export async function updateOwnKey(
  { principal, params, body }: Input<z.output<typeof ownKeyParams>, undefined, z.output<typeof updateKeyBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof apiKey>>> {
  const { workspace_id: workspaceId, key_id: id } = params;
  const quotas = toQuotaChange(body.quotas);
  const change = { ...(body.name !== undefined && { name: body.name }), ...quotas };
  const defaults = deps.config.quotas.key;
  const key = await update(
    deps.db,
    { userId: principal.userId, workspaceId, id },
    {
      change,
      check: (now) => requireQuotasWithinBounds(quotas, defaults, { texts: toQuotaTexts(now), defaults, ownerLabel: 'the key does now' }),
      audit: toAuditEntry(principal, { action: 'key.update', workspaceId, targetId: id }),
    },
  );
  invalidateEverywhere(deps, key.id);
  return { body: toApiKey(key) };
}
