/** Sums of usage. Every metered request counts in exactly one of `successful`, `errors` and `rateLimited`. */
export interface Counters {
  successful: number;
  errors: number;
  rateLimited: number;
  tokensIn: number;
  tokensOut: number;
  durationMs: number;
  /** Audio of completed speech and transcriptions. */
  audioMs: number;
}

/** Returns counters that are all zero. */
export function createEmptyCounters(): Counters {
  return { successful: 0, errors: 0, rateLimited: 0, tokensIn: 0, tokensOut: 0, durationMs: 0, audioMs: 0 };
}

/** Adds `more` to `sum` in place. */
export function addCounters(sum: Counters, more: Counters): void {
  sum.successful += more.successful;
  sum.errors += more.errors;
  sum.rateLimited += more.rateLimited;
  sum.tokensIn += more.tokensIn;
  sum.tokensOut += more.tokensOut;
  sum.durationMs += more.durationMs;
  sum.audioMs += more.audioMs;
}

/** Returns the number of all requests, whatever their outcome. */
export function countRequests({ successful, errors, rateLimited }: Counters): number {
  return successful + errors + rateLimited;
}
