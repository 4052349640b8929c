import {
  toTrialState,
  toExpiredState,
  type TransitionContext,
  toOpenState,
  withScheduledProbe,
  toRecoveredState,
} from './breaker-transitions.ts';
import { toAdmission, type BreakerPolicy, type BreakerState, INITIAL_BREAKER_STATE } from './breaker.ts';
import { type ProbeResult } from './error-effects.ts';

/** Maximum outcomes in a window. */
const MAX_OUTCOMES = 200;

/** Counts the outcomes of one connection's turns in this process; its methods return the next breaker state. Performs no I/O. */
export class OutcomeWindow {
  readonly #policy: BreakerPolicy;
  readonly #random: () => number;
  #outcomes: { at: number; failed: boolean }[] = [];
  #inARow = 0;
  /** Conversations whose requests were rejected since a turn succeeded. */
  readonly #rejected = new Set<string>();
  #doubtedAt = Number.NEGATIVE_INFINITY;

  constructor(policy: BreakerPolicy, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
  }

  /** State after a successful turn; the same object when nothing changed. */
  recordSuccess(state: BreakerState, now: number): BreakerState {
    this.#inARow = 0;
    // clear() replaces the hash table even of an empty set, and the garbage collector may retain the old tables (see `LinkedSet`).
    if (this.#rejected.size > 0) this.#rejected.clear();
    this.#note(now, false);
    // A turn that began earlier does not disprove a limit, an expiry or an opening that came in the meantime.
    if (['closed', 'half_open'].includes(toAdmission(state, now))) return toRecoveredState(state);
    return state.proven ? state : { ...state, proven: true };
  }

  /** State after a successful test by the operator. A rate limit stays in effect unless the connection was reconnected (`anew`). */
  recordSuccessfulTest(state: BreakerState, anew: boolean): BreakerState {
    this.#forget();
    this.#rejected.clear();
    const rateLimitedUntil = anew ? 0 : state.rateLimitedUntil;
    const isWell = toRecoveredState(state) === state && state.refused.length === 0 && state.resting.length === 0;
    return isWell && state.rateLimitedUntil === rateLimitedUntil ? state : { ...INITIAL_BREAKER_STATE, proven: true, rateLimitedUntil };
  }

  /** State after a turn that failed because of the upstream. */
  recordFailure(state: BreakerState, now: number): BreakerState {
    this.#inARow++;
    this.#note(now, true);
    if (state.openUntil > now) return state;
    const isTolerant = state.openings === 0 || (state.onTrial && state.openCause === 'credit');
    return isTolerant && !this.#tooMany() ? state : this.#open(state, 'failures', now);
  }

  recordRateLimit(state: BreakerState, now: number): BreakerState {
    return { ...state, rateLimitedUntil: now + this.#policy.rateLimitMs };
  }

  /** State after the upstream refused a turn because the credit is spent. */
  recordNoCredit(state: BreakerState, now: number): BreakerState {
    if (state.openCause === 'credit' && state.openUntil > now) return state;
    return this.#open(state, 'credit', now);
  }

  /** State after an adapter reported that the session has certainly expired. */
  recordExpiry(state: BreakerState, now: number): BreakerState {
    return state.expired ? state : toExpiredState(state, this.#moment(now));
  }

  /** State after a turn was answered with HTTP 401: the first one schedules a probe, the second in a row expires the credentials. */
  recordUnauthorized(state: BreakerState, now: number): BreakerState {
    if (state.expired) return state;
    if (state.unauthorizedOnce || (state.onTrial && state.expiries > 0)) return toExpiredState(state, this.#moment(now));
    return this.#doubt({ ...state, unauthorizedOnce: true }, now);
  }

  /** State after a turn was answered with HTTP 403, which may concern only its prompt: schedules a probe. */
  recordForbidden(state: BreakerState, now: number): BreakerState {
    return this.#doubt(state, now);
  }

  /** State after the upstream rejected a request: not a failure, but rejections of several conversations in a row schedule a probe. */
  recordRejection(state: BreakerState, conversationId: string, now: number): BreakerState {
    this.#rejected.add(conversationId);
    if (this.#rejected.size < this.#policy.rejectionsBeforeProbe) return state;
    this.#rejected.clear();
    return this.#doubt(state, now);
  }

  /** State after a probe with this result. */
  recordProbe(state: BreakerState, finding: ProbeResult, now: number): BreakerState {
    const moment = this.#moment(now);
    if (finding === 'refused') return toExpiredState(state, moment);
    if (finding === 'rate_limited') return this.recordRateLimit(state, now);
    if (state.expired && !['answered', 'listed'].includes(finding)) return toExpiredState(state, moment);
    const isOpen = !state.expired && state.openUntil > now;
    // An open breaker stays open for its whole cooldown, whatever an early probe found.
    if (isOpen && finding !== 'credit') return { ...state, probeAt: state.openUntil };
    switch (finding) {
      case 'answered':
        this.#forget();
        return toRecoveredState(state);
      case 'listed':
      case 'unproven':
        this.#forget();
        return toTrialState(finding === 'listed' ? { ...state, proven: true } : state);
      case 'credit':
        return this.recordNoCredit({ ...state, probeAt: state.openUntil }, now);
      case 'failure': {
        const next = this.recordFailure({ ...state, probeAt: 0 }, now);
        // The probe was inconclusive: schedule another one.
        return next.probeAt === 0 ? withScheduledProbe(next, now + this.#policy.minProbeIntervalMs) : next;
      }
    }
  }

  #doubt(state: BreakerState, now: number): BreakerState {
    const at = Math.max(now, this.#doubtedAt + this.#policy.minProbeIntervalMs);
    const next = withScheduledProbe(state, at);
    if (next !== state) this.#doubtedAt = at;
    return next;
  }

  #open(state: BreakerState, cause: 'failures' | 'credit', now: number): BreakerState {
    this.#forget();
    return toOpenState(state, cause, this.#moment(now));
  }

  #moment(now: number): TransitionContext {
    return { now, policy: this.#policy, random: this.#random };
  }

  #forget(): void {
    this.#outcomes = [];
    this.#inARow = 0;
  }

  #note(now: number, failed: boolean): void {
    // Successes of a healthy connection are not kept: only a window that contains a failure can open the breaker.
    if (!failed && this.#outcomes.length === 0) return;
    this.#outcomes.push({ at: now, failed: failed });
    const floor = now - this.#policy.windowMs;
    while (this.#outcomes.length > MAX_OUTCOMES || (this.#outcomes[0] && this.#outcomes[0].at < floor)) this.#outcomes.shift();
    if (!this.#outcomes.some((outcome) => outcome.failed)) this.#outcomes = [];
  }

  #tooMany(): boolean {
    if (this.#inARow >= this.#policy.consecutiveFailures) return true;
    const failures = this.#outcomes.filter((outcome) => outcome.failed).length;
    return this.#outcomes.length >= this.#policy.minimumTurns && failures / this.#outcomes.length >= this.#policy.failureRate;
  }
}
