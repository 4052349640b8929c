import { type Condition, GatewayError } from '@parley/protos/errors';

/** Connections that one turn may be put to. */
export const MAX_ATTEMPTS = 3;

/** How much of what is left one attempt may take beyond its share, where its connection is known to be slow. */
const PATIENCE = 3;

/** What the share of an attempt follows from; times in milliseconds. */
export interface ShareFacts {
  /** All attempts of the turn together may take so long until one is accepted. */
  budgetMs: number;
  /** What earlier attempts have taken. */
  elapsedMs: number;
  /** Attempts that are left, this one included; one at least. */
  attemptsLeft: number;
  /** How long the connection lately took to accept a turn; 0 when unknown. */
  usualMs: number;
}

/**
 * How long an attempt may take until the upstream has accepted the turn: an equal share of what is left, but three times what the connection
 * usually takes, so that a slow model is not taken for one that hangs.
 */
export function toTimeShare({ budgetMs, elapsedMs, attemptsLeft, usualMs }: ShareFacts): number {
  const left = Math.max(1, budgetMs - elapsedMs);
  return Math.min(left, Math.max(left / attemptsLeft, usualMs * PATIENCE));
}

/** From the most to the least useful for the client: what a later retry may mend comes first, then what the client can mend. */
const USEFUL: readonly Condition[] = [
  'PROVIDER_RATE_LIMITED',
  'PROVIDER_TIMEOUT',
  'PROVIDER_BAD_ANSWER',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_NO_CREDIT',
  'PROVIDER_MODEL_NOT_FOUND',
  'PROVIDER_FORBIDDEN',
  'ACCOUNT_REAUTH_REQUIRED',
];

/**
 * The error that the client gets when every attempt failed: the most useful one. `retryAfterMs` says when the first of the connections takes
 * turns again; 0 when one does now, and the `retry_after` of the upstream stays then.
 */
export function pickMostUsefulError(errors: readonly [GatewayError, ...GatewayError[]], retryAfterMs: number): GatewayError {
  const best = errors.reduce((before, error) => (rank(error) < rank(before) ? error : before));
  if (retryAfterMs === 0 || !best.row.retryable) return best;
  const { condition, message, param, upstream, cause } = best;
  return new GatewayError(condition, message, { retryAfterMs, cause, ...(param && { param }), ...(upstream && { upstream }) });
}

/** What is not in the list is of the request itself, and says most. */
function rank({ condition }: GatewayError): number {
  return USEFUL.indexOf(condition);
}
