import { type ErrorCondition, GatewayError } from '@parley/protos/errors';

/** Maximum connections that one turn is sent to. */
export const MAX_ATTEMPTS = 3;

/** Multiple of its connection's typical acceptance time that an attempt is allowed, even beyond its equal share. */
const PATIENCE = 3;

/** Input of `toAttemptTimeoutMs`; times in milliseconds. */
export interface AttemptTimeoutInput {
  /** Total time in which one of the turn's attempts must be accepted. */
  budgetMs: number;
  /** Part of the budget that is already used. */
  elapsedMs: number;
  /** Attempts that are left, including this one; at least 1. */
  attemptsLeft: number;
  /** Typical time in which the connection accepts a turn; 0 when unknown. */
  typicalAcceptMs: number;
}

/**
 * Returns how many milliseconds an attempt may take until the upstream accepts the turn: an equal share of the remaining budget, but at
 * least three times the connection's typical time, so that a slow model is not mistaken for a hanging one. Never more than the remaining
 * budget.
 */
export function toAttemptTimeoutMs({ budgetMs, elapsedMs, attemptsLeft, typicalAcceptMs }: AttemptTimeoutInput): number {
  const left = Math.max(1, budgetMs - elapsedMs);
  return Math.min(left, Math.max(left / attemptsLeft, typicalAcceptMs * PATIENCE));
}

/** Errors from the most to the least useful for the client: first those that a later retry may fix, then those that the client can fix. */
const USEFUL: readonly ErrorCondition[] = [
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
 * Returns the error that the client gets when every attempt failed: the most useful one. `retryAfterMs`: milliseconds until the first of
 * the connections accepts turns again, which replaces the error's own value; 0 keeps the upstream's `retry_after`.
 */
export function pickMostUsefulError(errors: readonly [GatewayError, ...GatewayError[]], retryAfterMs: number): GatewayError {
  const best = errors.reduce((before, error) => (rank(error) < rank(before) ? error : before));
  if (retryAfterMs === 0 || !best.row.retryable) return best;
  const { condition, message, param, upstream, cause } = best;
  return new GatewayError(condition, message, { retryAfterMs, cause, ...(param && { param }), ...(upstream && { upstream }) });
}

/** Errors that are not listed concern the request itself and rank first (-1). */
function rank({ condition }: GatewayError): number {
  return USEFUL.indexOf(condition);
}
