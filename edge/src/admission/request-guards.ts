import { type AdminAccess } from '../identity/admin-access.ts';
import { type PersonalKeys } from '../identity/personal-keys.ts';
import { type Sessions } from '../identity/sessions.ts';
import { type Authenticate } from '../keys/authenticate.ts';
import { type BodyBytesLimiter } from '../middleware/body-bytes-limiter.ts';
import { type ConcurrencyLimiter } from '../middleware/concurrency-limiter.ts';
import { type Throttle } from '../middleware/throttle.ts';
import { type Reserve } from '../quota/quota-reserver.ts';

/** The checks and limits that all operations share: authentication, throttle, concurrency, body memory and quotas. */
export interface RequestGuards {
  authenticate: Authenticate;
  /** Authenticates a person by the login session. */
  sessions: Pick<Sessions, 'authenticate'>;
  /** Resolves a person with a session to the caller of an operation of `/v1` in a workspace. */
  personalKeys: Pick<PersonalKeys, 'resolveCaller'>;
  /** Authenticates callers of the control plane. */
  adminAccess: Pick<AdminAccess, 'authenticate'>;
  /** The public origin of the gateway, as browsers see it; undefined when it is not configured. */
  publicUrl: string | undefined;
  throttle: Throttle;
  /** Limits the concurrent requests of a workspace. */
  concurrency: ConcurrencyLimiter;
  /** Limits the bytes of large bodies in memory. */
  bodies: BodyBytesLimiter;
  /** Reserves the expected use of a request in the quotas of its key and workspace. */
  reserve: Reserve;
}
