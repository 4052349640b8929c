import { type ServerResponse } from 'node:http';

/** The state of a limit after a request was counted. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Milliseconds until the period ends. */
  resetMs: number;
}

const LIMIT = 'X-RateLimit-Limit';
const REMAINING = 'X-RateLimit-Remaining';

/** Sets the rate limit headers of a response. */
export function setLimitHeaders(res: ServerResponse, { limit, remaining, resetMs }: LimitState): void {
  res.setHeader(LIMIT, String(limit));
  res.setHeader(REMAINING, String(remaining));
  // Seconds from now do not depend on synchronised clocks, as a time of day does.
  res.setHeader('X-RateLimit-Reset', String(Math.ceil(resetMs / 1_000)));
}

/** Sets the rate limit headers to this limit, unless they already show a limit of which a smaller share remains. */
export function setLimitHeadersIfTighter(res: ServerResponse, limit: LimitState): void {
  const shown = { limit: Number(res.getHeader(LIMIT)), remaining: Number(res.getHeader(REMAINING)) };
  // Without headers the share is NaN, and the comparison is false.
  if (!(getRemainingShare(shown) < getRemainingShare(limit))) setLimitHeaders(res, limit);
}

/** The part of a limit that remains, from 0 to 1. */
export function getRemainingShare({ limit, remaining }: Pick<LimitState, 'limit' | 'remaining'>): number {
  return remaining / limit;
}
