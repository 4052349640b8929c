import { setTimeout as delay } from 'node:timers/promises';

/** How long and how often to look. */
export interface WaitOptions {
  /** A bound, not an expectation: a busy machine may take its time. @default 30_000 */
  timeoutMs?: number;
  /** @default 20 */
  everyMs?: number;
}

/**
 * Looks again and again until `condition` gives something truthy, and gives that.
 * @throws when the time is over, with the last error of the condition as its cause.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 30_000, everyMs = 20 }: WaitOptions = {},
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
  throw new Error(`no such thing within ${timeoutMs} ms: ${condition.toString()}`, { cause });
}
