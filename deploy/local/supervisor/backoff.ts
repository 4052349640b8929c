/** Restart delays in milliseconds: doubling from `firstMs` to `maxMs`; after a run of `healthyAfterMs` they start again at `firstMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly healthyAfterMs: number;
}

export const DEFAULT_BACKOFF: Backoff = { firstMs: 250, maxMs: 5_000, healthyAfterMs: 10_000 };

/**
 * Returns the delay in milliseconds before restart number `attempt` (from 0), spread by ±20 % so that processes do not restart together.
 */
export function backoffDelay(attempt: number, backoff: Backoff, random: () => number = Math.random): number {
  const delay = Math.min(backoff.maxMs, backoff.firstMs * 2 ** attempt);
  return Math.round(Math.min(backoff.maxMs, delay * (0.8 + 0.4 * random())));
}
