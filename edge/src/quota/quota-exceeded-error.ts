import { type Quota } from '../config/quota-policy.ts';
import { LimitReachedError } from '../middleware/errors.ts';

const NOUNS = { requests: 'requests', tokens: 'tokens', audio_ms: 'seconds of audio' } as const;

/** A quota of the key or workspace has too few units left; the rate limit headers show the numbers of that quota. */
export class QuotaExceededError extends LimitReachedError {
  /** The quota that is used up. */
  readonly quota: Pick<Quota, 'kind' | 'metric'>;

  constructor({ kind, metric, policy }: Quota, windowEndsInMs: number) {
    const condition = metric === 'audio_ms' ? 'AUDIO_QUOTA_EXCEEDED' : 'RATE_LIMIT_EXCEEDED';
    super(condition, `the ${kind} has used up its quota of ${NOUNS[metric]}: ${policy.text}`, policy.points, windowEndsInMs);
    this.quota = { kind, metric };
  }
}
