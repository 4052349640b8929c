import { type Authenticate } from '../keys/authenticate.ts';
import { type BodyBytesLimiter } from '../middleware/body-bytes-limiter.ts';
import { type ConcurrencyLimiter } from '../middleware/concurrency-limiter.ts';
import { type OperatorKeyLimiter } from '../middleware/operator-key-limiter.ts';
import { type Throttle } from '../middleware/throttle.ts';
import { type Reserve } from '../quota/quota-keeper.ts';

/** The limits and checks that every operation shares. */
export interface RequestGuards {
  authenticate: Authenticate;
  /** Limits how many keys one address may try on the operator's surface. */
  operatorKeys: Pick<OperatorKeyLimiter, 'admit' | 'record'>;
  throttle: Throttle;
  /** Limits the concurrent requests of a workspace. */
  concurrency: ConcurrencyLimiter;
  /** Limits the memory that large bodies take. */
  bodies: BodyBytesLimiter;
  /** Reserves what a request will take of the quotas of its key and workspace. */
  reserve: Reserve;
}
