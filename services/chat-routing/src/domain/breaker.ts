/** Tuning of a circuit breaker; times in milliseconds. */
export interface BreakerPolicy {
  /** Failures in a row that open it. @default 5 */
  consecutiveFailures: number;
  /** Share of failures in the window that opens it. @default 0.5 */
  failureRate: number;
  /** Turns the window must hold before the rate counts. @default 10 */
  minimumTurns: number;
  /** @default 60_000 */
  windowMs: number;
  /** First cooldown; doubles with every opening in a row. @default 30_000 */
  cooldownMs: number;
  /** @default 600_000 */
  maxCooldownMs: number;
  /** Pause after an upstream 429 (spec §8). @default 300_000 */
  rateLimitMs: number;
}

export const DEFAULT_POLICY: BreakerPolicy = {
  consecutiveFailures: 5,
  failureRate: 0.5,
  minimumTurns: 10,
  windowMs: 60_000,
  cooldownMs: 30_000,
  maxCooldownMs: 600_000,
  rateLimitMs: 300_000,
};

/** The part of a breaker that replicas share. Times are on the local monotonic clock, 0 when unset. */
export interface BreakerState {
  /** A turn has succeeded since the account was connected. */
  proven: boolean;
  expired: boolean;
  rateLimitedUntil: number;
  openUntil: number;
  /** Openings in a row; 0 while closed. */
  openings: number;
  /** Features that the upstream refused lately, whatever else works. They admit no less for it. */
  refused: readonly string[];
}

export const CLOSED: BreakerState = { proven: false, expired: false, rateLimitedUntil: 0, openUntil: 0, openings: 0, refused: [] };

/** What a breaker lets through: any turn, one probing turn, or none. */
export type Admission = 'closed' | 'half_open' | 'open' | 'rate_limited' | 'expired';

/** How the account of a breaker admits turns at a moment. */
export function admissionOf(state: BreakerState, now: number): Admission {
  if (state.expired) return 'expired';
  if (state.rateLimitedUntil > now) return 'rate_limited';
  if (state.openings === 0) return 'closed';
  return state.openUntil > now ? 'open' : 'half_open';
}

/** Milliseconds until the account admits a turn again; 0 when it does now. */
export function cooldownLeft(state: BreakerState, now: number): number {
  return Math.max(0, state.rateLimitedUntil - now, state.openUntil - now);
}

/** State after the upstream refused a feature, or served it; the same object when nothing changed. */
export function withFeature(state: BreakerState, feature: string, isServed: boolean): BreakerState {
  if (state.refused.includes(feature) !== isServed) return state;
  return { ...state, refused: isServed ? state.refused.filter((other) => other !== feature) : [...state.refused, feature] };
}

/** Counts outcomes of turns in this process and says when the shared state changes. Pure but for its own counters. */
export class OutcomeWindow {
  readonly #policy: BreakerPolicy;
  #outcomes: { at: number; failed: boolean }[] = [];
  #inARow = 0;

  constructor(policy: BreakerPolicy) {
    this.#policy = policy;
  }

  /** State after a turn that the upstream answered as it should; the same object when nothing changed. */
  succeeded(state: BreakerState, now: number): BreakerState {
    this.#inARow = 0;
    this.#note(now, false);
    // A turn that had begun before says nothing against a limit, an expiry or an opening that came meanwhile.
    const closes = state.openings > 0 && state.openUntil <= now && state.rateLimitedUntil <= now && !state.expired;
    if (state.proven && !closes) return state;
    return { ...state, proven: true, ...(closes && { openings: 0, openUntil: 0 }) };
  }

  /** State after the operator saw the account work. An upstream's limit on turns outlasts that, unless the account was connected anew. */
  connected(state: BreakerState, anew: boolean): BreakerState {
    this.#forget();
    const rateLimitedUntil = anew ? 0 : state.rateLimitedUntil;
    const isWell = state.proven && !state.expired && state.openings === 0 && state.refused.length === 0;
    return isWell && state.rateLimitedUntil === rateLimitedUntil ? state : { ...CLOSED, proven: true, rateLimitedUntil };
  }

  /** State after a failure that is the upstream's fault. */
  failed(state: BreakerState, now: number): BreakerState {
    this.#inARow++;
    this.#note(now, true);
    if (state.openings > 0 && state.openUntil > now) return state;
    if (state.openings === 0 && !this.#tooMany()) return state;
    return this.#open(state, now);
  }

  rateLimited(state: BreakerState, now: number): BreakerState {
    return { ...state, rateLimitedUntil: now + this.#policy.rateLimitMs };
  }

  expired(state: BreakerState): BreakerState {
    return state.expired ? state : { ...state, expired: true };
  }

  #open(state: BreakerState, now: number): BreakerState {
    const openings = state.openings + 1;
    const cooldown = Math.min(this.#policy.cooldownMs * 2 ** (openings - 1), this.#policy.maxCooldownMs);
    this.#forget();
    return { ...state, openings, openUntil: now + cooldown };
  }

  #forget(): void {
    this.#outcomes = [];
    this.#inARow = 0;
  }

  #note(now: number, failed: boolean): void {
    // Successes of a healthy account need no record: only a window with a failure in it can open the breaker.
    if (!failed && this.#outcomes.length === 0) return;
    this.#outcomes.push({ at: now, failed });
    const floor = now - this.#policy.windowMs;
    while (this.#outcomes.length > 200 || (this.#outcomes[0] && this.#outcomes[0].at < floor)) this.#outcomes.shift();
    if (!this.#outcomes.some((outcome) => outcome.failed)) this.#outcomes = [];
  }

  #tooMany(): boolean {
    if (this.#inARow >= this.#policy.consecutiveFailures) return true;
    const failures = this.#outcomes.filter((outcome) => outcome.failed).length;
    return this.#outcomes.length >= this.#policy.minimumTurns && failures / this.#outcomes.length >= this.#policy.failureRate;
  }
}
