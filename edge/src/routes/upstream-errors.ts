import { type ErrorCondition } from '@parley/protos/errors';

/** Error codes of every call to the upstream of a connection. */
export const UPSTREAM_ERRORS = [
  'PROVIDER_RATE_LIMITED',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_BAD_ANSWER',
  'PROVIDER_TIMEOUT',
] as const satisfies readonly ErrorCondition[];
