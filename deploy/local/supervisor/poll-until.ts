import { setTimeout as delay } from 'node:timers/promises';

/** Timeout and interval of polling, in milliseconds. */
export interface PollOptions {
  readonly timeoutMs: number;
  readonly everyMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `probe` until it returns a value other than undefined, and resolves with it; undefined after the timeout. Rejects when the signal
 * aborts or the probe throws.
 */
export async function pollUntil<T>(probe: () => Promise<T | undefined> | T | undefined, bounds: PollOptions): Promise<T | undefined> {
  // The monotonic clock: a jump of the wall clock must not shorten a wait.
  const deadline = performance.now() + bounds.timeoutMs;
  for (;;) {
    bounds.signal?.throwIfAborted();
    const answer = await probe();
    if (answer !== undefined || performance.now() >= deadline) return answer;
    await delay(bounds.everyMs, undefined, bounds.signal ? { signal: bounds.signal } : {});
  }
}
