import { LRUCache } from 'lru-cache';
import { type RateWindow, type WindowState } from './rate-window.ts';

/** Most clients that are counted at once; above that the least recently seen is dropped. */
export const MAX_CLIENTS = 100_000;

interface Window {
  count: number;
  /** On the monotonic clock: setting the system clock does not change a window. */
  endsAt: number;
}

/** Counts the requests of clients in this process: `points` requests in `seconds`. */
export class LocalRateWindow implements RateWindow {
  readonly #points: number;
  readonly #ms: number;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });

  constructor({ points, seconds }: { points: number; seconds: number }) {
    this.#points = points;
    this.#ms = seconds * 1_000;
  }

  count(client: string): WindowState {
    const now = performance.now();
    let window = this.#windows.get(client);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.#ms };
      this.#windows.set(client, window);
    }
    const remaining = this.#points - ++window.count;
    return { isAdmitted: remaining >= 0, remaining: Math.max(0, remaining), resetMs: window.endsAt - now };
  }

  /** Returns the window of a client without counting a request. */
  peek(client: string): WindowState {
    const now = performance.now();
    const window = this.#windows.get(client);
    const isOpen = window !== undefined && window.endsAt > now;
    const remaining = Math.max(0, this.#points - (isOpen ? window.count : 0));
    return { isAdmitted: remaining > 0, remaining, resetMs: isOpen ? window.endsAt - now : this.#ms };
  }
}
