import { type Logger } from '@parley/kit/log/logger';

/** Pause before a store that did not answer is called again, in milliseconds. */
const PAUSE_MS = 1_000;

/** Limits the wait for a shared store, and pauses calls to it when it does not answer. */
export class StoreCircuitBreaker {
  readonly #log: Logger;
  readonly #deadlineMs: number;
  #isAway = false;
  #askAgainAt = 0;

  constructor(log: Logger, deadlineMs: number) {
    this.#log = log;
    this.#deadlineMs = deadlineMs;
  }

  /** True when the store may be called now; while it is unavailable, one call per second is allowed as a probe. */
  canCall(): boolean {
    if (!this.#isAway) return true;
    const now = performance.now();
    if (now < this.#askAgainAt) return false;
    this.#askAgainAt = now + PAUSE_MS;
    return true;
  }

  /** Calls the store and returns its answer. Rejects when the call fails or exceeds the deadline. */
  async call<T>(question: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${this.#deadlineMs} ms`)), this.#deadlineMs);
    });
    try {
      const answer = await Promise.race([question(), late]);
      this.#back();
      return answer;
    } catch (error) {
      this.#away(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #back(): void {
    if (this.#isAway) this.#log.info('throttle counters are shared again');
    this.#isAway = false;
  }

  #away(error: unknown): void {
    // Logs only the message: an error of a Redis client contains its command, and that of AUTH has the password.
    const reason = error instanceof Error ? error.message : 'unknown';
    if (!this.#isAway) this.#log.warn({ reason }, 'throttle counters are not shared: each edge counts by itself');
    this.#isAway = true;
    this.#askAgainAt = performance.now() + PAUSE_MS;
  }
}
