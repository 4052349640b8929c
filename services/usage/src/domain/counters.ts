/** What is summed. Every metered request is counted in exactly one of the first three. */
export interface Counters {
  successful: number;
  errors: number;
  rateLimited: number;
  tokensIn: number;
  tokensOut: number;
  durationMs: number;
}

/** Counters of nothing. */
export function zero(): Counters {
  return { successful: 0, errors: 0, rateLimited: 0, tokensIn: 0, tokensOut: 0, durationMs: 0 };
}

/** Adds `more` to `sum` in place. */
export function add(sum: Counters, more: Counters): void {
  sum.successful += more.successful;
  sum.errors += more.errors;
  sum.rateLimited += more.rateLimited;
  sum.tokensIn += more.tokensIn;
  sum.tokensOut += more.tokensOut;
  sum.durationMs += more.durationMs;
}

/** Requests, however they ended. */
export function requestsOf({ successful, errors, rateLimited }: Counters): number {
  return successful + errors + rateLimited;
}
