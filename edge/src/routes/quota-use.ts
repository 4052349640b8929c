import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type QuotaSubjectKind } from '@parley/protos/quotas';
import { z } from 'zod';
import { type Quota, toEffectiveQuotas } from '../config/quota-policy.ts';
import { type StoredKey } from '../store/keys.ts';
import { type quotaUses, toQuotaUse } from '../wire/quota-use.ts';
import { type RouteDeps } from './deps.ts';

/** The query parameter `include` of lists of keys and workspaces. */
export const quotaUseQuery = {
  include: z
    .enum(['quota_use'])
    .optional()
    .meta({ description: '`quota_use`: how much of each quota in force is used in its current window.' }),
};

/** A stored key or workspace with its quotas. */
type Bounded = Pick<StoredKey, 'id' | 'quotaRequests' | 'quotaTokens' | 'quotaAudioSeconds'>;

/** Converts keys or workspaces with `toWire`; adds the use of their quotas when `include` requests it and the counter answers. */
export async function withQuotaUse<Stored extends Bounded, Wire extends object>(
  { clients, config, quotas: reserver, log }: RouteDeps,
  { include }: { include?: 'quota_use' | undefined },
  { kind, rows, toWire }: { kind: QuotaSubjectKind; rows: readonly Stored[]; toWire: (row: Stored) => Wire },
): Promise<(Wire & { quota_use?: z.input<typeof quotaUses> })[]> {
  const plain = rows.map(toWire);
  if (!include) return plain;
  const quotas = rows.map(({ id, quotaRequests: requests, quotaTokens: tokens, quotaAudioSeconds: audioSeconds }) =>
    toEffectiveQuotas(kind, id, { requests, tokens, audioSeconds }, config.quotas[kind]),
  );
  const asked = quotas.flat().map(({ id, metric, policy }) => ({ subject: { kind, id, metric }, windowSeconds: policy.seconds }));
  try {
    const { uses } = asked.length === 0 ? { uses: [] } : await clients.usage.listQuotaUse({ quotas: asked }, { caller: SYSTEM_CALLER });
    const next = uses.values();
    const toUse = (quota: Quota) => {
      const { used = 0, windowEndsInMs = 0 } = next.next().value ?? {};
      // Units that this process has leased and not debited are unused: with one edge, the usual case, the figure is exact.
      return toQuotaUse(quota, { used: Math.max(0, used - reserver.getLeasedBalance(quota)), windowEndsInMs });
    };
    return plain.map((wire, index) => ({ ...wire, quota_use: (quotas[index] ?? []).map(toUse) }));
  } catch (err) {
    // Without the use, keys and workspaces can still be listed, found and revoked while the counter is unavailable.
    log.warn({ err }, 'the use of quotas is unknown');
    return plain;
  }
}
