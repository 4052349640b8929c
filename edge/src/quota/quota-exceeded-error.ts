import { ThrottledError } from '../middleware/errors.ts';
import { type Quota } from './quota.ts';

const NOUNS = { requests: 'requests', tokens: 'tokens', audio_ms: 'seconds of audio' } as const;

/** A request that finds too little left of a quota of its key or workspace; in the envelope, with the numbers of that quota. */
export class QuotaExceededError extends ThrottledError {
  constructor({ kind, metric, policy }: Quota, windowEndsInMs: number) {
    super(policy, windowEndsInMs, 'object', metric === 'audio_ms' ? 'AUDIO_QUOTA_EXCEEDED' : 'RATE_LIMIT_EXCEEDED');
    this.message = `the ${kind} has used up its quota of ${NOUNS[metric]}: ${policy.text}`;
  }
}
