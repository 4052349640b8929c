import { LRUCache } from 'lru-cache';

/** Clients whose requests are counted at once; of more than that the one forgotten is the one that asked longest ago. */
const MAX_CLIENTS = 100_000;

interface Window {
  count: number;
  /** By the steady clock: a clock that is set opens no window early and keeps none open longer. */
  endsAt: number;
}

/** Counts requests of each client in windows that begin with its first request. */
export class FixedWindow {
  readonly #points: number;
  readonly #ms: number;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });

  constructor({ points, seconds }: { points: number; seconds: number }) {
    this.#points = points;
    this.#ms = seconds * 1_000;
  }

  /** Counts a request: 0 when it may pass, else the milliseconds until one may again. */
  take(client: string): number {
    const now = performance.now();
    let window = this.#windows.get(client);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.#ms };
      this.#windows.set(client, window);
    }
    return ++window.count <= this.#points ? 0 : Math.ceil(window.endsAt - now);
  }
}
