import { setTimeout as delay } from 'node:timers/promises';

/** Timeout and interval. */
export interface WaitOptions {
  /** Timeout in milliseconds, an upper bound: a busy machine may be slow, and may be stopped for seconds. @default 60_000 */
  timeoutMs?: number;
  /** Interval in milliseconds. @default 20 */
  everyMs?: number;
}

/**
 * Polls `condition` until it returns something truthy, and returns that.
 * @throws at the timeout, with the last error of the condition as its cause.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 20 }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const result = await condition();
      if (result) return result;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(everyMs);
  } while (performance.now() < deadline);
  throw new Error(`condition not met within ${timeoutMs} ms: ${condition.toString()}`, { cause });
}
