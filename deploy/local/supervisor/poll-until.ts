import { setTimeout as delay } from 'node:timers/promises';

/** Bounds of a wait, in milliseconds. */
export interface PollBounds {
  readonly timeoutMs: number;
  readonly everyMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks until `probe` answers something other than undefined; undefined when the time is up. Rejects when the signal aborts or the probe throws. */
export async function pollUntil<T>(probe: () => Promise<T | undefined> | T | undefined, bounds: PollBounds): Promise<T | undefined> {
  // The monotonic clock: a jump of the wall clock must not cut a wait short.
  const deadline = performance.now() + bounds.timeoutMs;
  for (;;) {
    bounds.signal?.throwIfAborted();
    const answer = await probe();
    if (answer !== undefined || performance.now() >= deadline) return answer;
    await delay(bounds.everyMs, undefined, bounds.signal ? { signal: bounds.signal } : {});
  }
}
