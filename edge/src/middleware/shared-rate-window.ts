import { type ReadinessCheck } from '@parley/kit/lifecycle/readiness';
import { LRUCache } from 'lru-cache';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { type RatePolicy } from '../config/fields.ts';
import { LocalRateWindow, MAX_CLIENTS } from './local-rate-window.ts';
import { type RateWindow, type WindowState } from './rate-window.ts';
import { type StoreCircuitBreaker } from './store-circuit-breaker.ts';

/** A limiter of `rate-limiter-flexible`. */
type Limiter = Pick<RateLimiterAbstract, 'consume'>;

/** A store that all edges share: it creates limiters by name, and checks whether it answers. */
export interface SharedCounterStore {
  limiter: (name: string, policy: RatePolicy) => Limiter;
  check: ReadinessCheck;
}

/**
 * Counts requests in a store that all edges share, so that a limit applies to all of them together. While the store does not answer,
 * requests are counted in this process; those that this edge admitted before count as well.
 */
export class SharedRateWindow implements RateWindow {
  readonly #limiter: Limiter;
  readonly #watch: StoreCircuitBreaker;
  readonly #own: LocalRateWindow;
  /** Until when a client is over its limit, on the monotonic clock: its further requests do not call the store. */
  readonly #over = new LRUCache<string, number>({ max: MAX_CLIENTS });

  constructor(limiter: Limiter, policy: RatePolicy, watch: StoreCircuitBreaker) {
    this.#limiter = limiter;
    this.#watch = watch;
    this.#own = new LocalRateWindow(policy);
  }

  count(client: string): WindowState | Promise<WindowState> {
    const resetMs = (this.#over.get(client) ?? 0) - performance.now();
    if (resetMs > 0) return { isAdmitted: false, remaining: 0, resetMs };
    const own = this.#own.count(client);
    return this.#watch.canCall() ? this.#ask(client, own) : own;
  }

  async #ask(client: string, own: WindowState): Promise<WindowState> {
    try {
      const standing = await this.#watch.call(() => this.#count(client));
      if (!standing.isAdmitted) this.#over.set(client, performance.now() + standing.resetMs);
      return standing;
    } catch {
      return own;
    }
  }

  async #count(client: string): Promise<WindowState> {
    try {
      return toWindowState(await this.#limiter.consume(client), true);
    } catch (thrown) {
      // The library throws its result when a client is over the limit, and an error when the store fails.
      if (thrown instanceof RateLimiterRes) return toWindowState(thrown, false);
      throw thrown;
    }
  }
}

function toWindowState({ remainingPoints, msBeforeNext }: RateLimiterRes, isAdmitted: boolean): WindowState {
  return { isAdmitted, remaining: remainingPoints, resetMs: Math.max(1, msBeforeNext) };
}
