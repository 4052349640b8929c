import { type ServerResponse } from 'node:http';

/** A limit of a period after a request was counted. */
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
  // Seconds from now and not a time of day, which does not depend on synchronised clocks.
  res.setHeader('X-RateLimit-Reset', String(Math.ceil(resetMs / 1_000)));
}

/** Sets the rate limit headers of a response to this limit unless a larger share of it remains than of the one they show. */
export function showIfNearer(res: ServerResponse, limit: LimitState): void {
  const shown = { limit: Number(res.getHeader(LIMIT)), remaining: Number(res.getHeader(REMAINING)) };
  // Without headers the share is not a number, which is not smaller than any.
  if (!(shareOf(shown) < shareOf(limit))) setLimitHeaders(res, limit);
}

/** The part of a limit that remains, from 0 to 1. */
export function shareOf({ limit, remaining }: Pick<LimitState, 'limit' | 'remaining'>): number {
  return remaining / limit;
}
