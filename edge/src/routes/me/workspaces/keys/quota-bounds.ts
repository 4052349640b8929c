import { GatewayError } from '@parley/protos/errors';
import { isPolicyWithin, type QuotaPolicies, type QuotaTexts, parseQuotaPolicies } from '../../../../config/quota-policy.ts';
import { type QuotaChange, type StoredKey } from '../../../../store/keys.ts';

/** The quotas that a key must not exceed. */
export interface QuotaBounds {
  texts: QuotaTexts;
  defaults: QuotaPolicies;
  /** Their owner, for the error message: `the workspace`. */
  ownerLabel: string;
}

const PARAMS = { requests: 'requests', tokens: 'tokens', audioSeconds: 'audio_seconds' } as const;

/**
 * Rejects quotas of a key that allow more than the bounds. Absent quotas are not checked; null stands for the default of keys.
 * @throws GatewayError VALIDATION_ERROR naming the quota
 */
export function requireQuotasWithinBounds(
  change: QuotaChange,
  defaults: QuotaPolicies,
  { texts, defaults: others, ownerLabel }: QuotaBounds,
): void {
  const given = toTexts(change);
  const asked = parseQuotaPolicies({ requests: null, tokens: null, audioSeconds: null, ...given }, defaults);
  const allowed = parseQuotaPolicies(texts, others);
  for (const name of Object.keys(given) as (keyof QuotaTexts)[]) {
    if (isPolicyWithin(asked[name], allowed[name])) continue;
    throw new GatewayError('VALIDATION_ERROR', `quotas.${PARAMS[name]}: must not allow more than ${ownerLabel}`, {
      param: `quotas.${PARAMS[name]}`,
    });
  }
}

/** Returns the quotas of a stored key or workspace as texts. */
export function toQuotaTexts(of: Pick<StoredKey, 'quotaRequests' | 'quotaTokens' | 'quotaAudioSeconds'>): QuotaTexts {
  return { requests: of.quotaRequests, tokens: of.quotaTokens, audioSeconds: of.quotaAudioSeconds };
}

function toTexts({ quotaRequests, quotaTokens, quotaAudioSeconds }: QuotaChange): Partial<QuotaTexts> {
  return {
    ...(quotaRequests !== undefined && { requests: quotaRequests }),
    ...(quotaTokens !== undefined && { tokens: quotaTokens }),
    ...(quotaAudioSeconds !== undefined && { audioSeconds: quotaAudioSeconds }),
  };
}
