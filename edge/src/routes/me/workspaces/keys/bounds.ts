import { GatewayError } from '@parley/protos/errors';
import { isWithin, type QuotaPolicies, type QuotaTexts, toPolicies } from '../../../../config/quota-policy.ts';
import { type QuotaChange, type StoredKey } from '../../../../store/keys.ts';

/** The quotas that a key must not exceed. */
export interface Bounds {
  texts: QuotaTexts;
  defaults: QuotaPolicies;
  /** Their owner, for the error message: `the workspace`. */
  of: string;
}

const PARAMS = { requests: 'requests', tokens: 'tokens', audioSeconds: 'audio_seconds' } as const;

/**
 * Rejects quotas of a key that allow more than the bounds. Absent quotas are not checked; null stands for the default of keys.
 * @throws GatewayError VALIDATION_ERROR naming the quota
 */
export function requireWithin(change: QuotaChange, defaults: QuotaPolicies, { texts, defaults: others, of }: Bounds): void {
  const given = toTexts(change);
  const asked = toPolicies({ requests: null, tokens: null, audioSeconds: null, ...given }, defaults);
  const allowed = toPolicies(texts, others);
  for (const name of Object.keys(given) as (keyof QuotaTexts)[]) {
    if (isWithin(asked[name], allowed[name])) continue;
    throw new GatewayError('VALIDATION_ERROR', `quotas.${PARAMS[name]}: must not allow more than ${of}`, {
      param: `quotas.${PARAMS[name]}`,
    });
  }
}

/** Returns the quotas of a stored key or workspace as texts. */
export function quotasOf(of: Pick<StoredKey, 'quotaRequests' | 'quotaTokens' | 'quotaAudioSeconds'>): QuotaTexts {
  return { requests: of.quotaRequests, tokens: of.quotaTokens, audioSeconds: of.quotaAudioSeconds };
}

function toTexts({ quotaRequests, quotaTokens, quotaAudioSeconds }: QuotaChange): Partial<QuotaTexts> {
  return {
    ...(quotaRequests !== undefined && { requests: quotaRequests }),
    ...(quotaTokens !== undefined && { tokens: quotaTokens }),
    ...(quotaAudioSeconds !== undefined && { audioSeconds: quotaAudioSeconds }),
  };
}
