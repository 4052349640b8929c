import { LRUCache } from 'lru-cache';
import { type RateWindow, type WindowState } from './rate-window.ts';

/** Clients whose requests are counted at once; of more than that the one forgotten is the one that asked longest ago. */
export const MAX_CLIENTS = 100_000;

interface Window {
  count: number;
  /** By the steady clock: a clock that is set opens no window early and keeps none open longer. */
  endsAt: number;
}

/** Counts requests in this process. */
export class FixedWindow implements RateWindow {
  readonly #points: number;
  readonly #ms: number;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });

  constructor({ points, seconds }: { points: number; seconds: number }) {
    this.#points = points;
    this.#ms = seconds * 1_000;
  }

  take(client: string): WindowState {
    const now = performance.now();
    let window = this.#windows.get(client);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.#ms };
      this.#windows.set(client, window);
    }
    const remaining = this.#points - ++window.count;
    return { isAdmitted: remaining >= 0, remaining: Math.max(0, remaining), resetMs: window.endsAt - now };
  }

  /** How a client stands; nothing is counted. */
  look(client: string): WindowState {
    const now = performance.now();
    const window = this.#windows.get(client);
    const isOpen = window !== undefined && window.endsAt > now;
    const remaining = Math.max(0, this.#points - (isOpen ? window.count : 0));
    return { isAdmitted: remaining > 0, remaining, resetMs: isOpen ? window.endsAt - now : this.#ms };
  }
}
