import { type PersonalKeys } from '../identity/personal-keys.ts';
import { type AdminAccess } from '../identity/admin-access.ts';
import { type Sessions } from '../identity/sessions.ts';
import { type Authenticate } from '../keys/authenticate.ts';
import { type BodyBytesLimiter } from '../middleware/body-bytes-limiter.ts';
import { type ConcurrencyLimiter } from '../middleware/concurrency-limiter.ts';
import { type Throttle } from '../middleware/throttle.ts';
import { type Reserve } from '../quota/quota-keeper.ts';

/** The limits and checks that every operation shares. */
export interface RequestGuards {
  authenticate: Authenticate;
  /** Finds the person behind a login session. */
  sessions: Pick<Sessions, 'authenticate'>;
  /** Lets that person use the operations of `/v1`. */
  personalKeys: Pick<PersonalKeys, 'enter'>;
  /** Finds who calls the control plane. */
  adminAccess: Pick<AdminAccess, 'authenticate'>;
  /** The origin of browsers, where it is configured. */
  publicUrl: string | undefined;
  throttle: Throttle;
  /** Limits the concurrent requests of a workspace. */
  concurrency: ConcurrencyLimiter;
  /** Limits the memory that large bodies take. */
  bodies: BodyBytesLimiter;
  /** Reserves what a request will take of the quotas of its key and workspace. */
  reserve: Reserve;
}
