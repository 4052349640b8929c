import { type Condition } from '@parley/protos/errors';

/** What asking the upstream of an account may end with, whatever is asked. */
export const UPSTREAM_ERRORS = [
  'PROVIDER_RATE_LIMITED',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_BAD_ANSWER',
  'PROVIDER_TIMEOUT',
] as const satisfies readonly Condition[];
