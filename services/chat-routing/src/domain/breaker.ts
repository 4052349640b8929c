import { type ModelPause } from './paused-models.ts';

/** Settings of the circuit breaker of connections; times in milliseconds. */
export interface BreakerPolicy {
  /** Failures in a row that open the breaker. @default 5 */
  consecutiveFailures: number;
  /** Share of failures in the window that opens the breaker, from 0 to 1. @default 0.5 */
  failureRate: number;
  /** Turns that the window must contain before the rate counts. @default 10 */
  minimumTurns: number;
  /** @default 60_000 */
  windowMs: number;
  /** First cooldown after failures; doubles with every opening in a row. @default 30_000 */
  cooldownMs: number;
  /** @default 600_000 */
  maxCooldownMs: number;
  /** Pause after an upstream 429. @default 300_000 */
  rateLimitMs: number;
  /** First pause of a connection whose credit is spent; doubles. @default 300_000 */
  creditMs: number;
  /** @default 21_600_000 */
  maxCreditMs: number;
  /** First pause of a model that the upstream does not know; doubles. @default 600_000 */
  modelMs: number;
  /** @default 86_400_000 */
  maxModelMs: number;
  /** Wait before expired credentials are probed for the first time; doubles. @default 60_000 */
  expiredMs: number;
  /** @default 3_600_000 */
  maxExpiredMs: number;
  /** Number of conversations with a rejected request, without a success in between, after which the connection is probed. @default 5 */
  rejectionsBeforeProbe: number;
  /** Minimum time between two probes of a connection that still admits turns. @default 30_000 */
  minProbeIntervalMs: number;
  /** Interval at which a process checks for due probes; five times as long while it knows of none. @default 2_000 */
  probeCheckIntervalMs: number;
}

/** The settings in production; tests may set others. */
export const DEFAULT_BREAKER_POLICY: BreakerPolicy = {
  consecutiveFailures: 5,
  failureRate: 0.5,
  minimumTurns: 10,
  windowMs: 60_000,
  cooldownMs: 30_000,
  maxCooldownMs: 600_000,
  rateLimitMs: 300_000,
  creditMs: 300_000,
  maxCreditMs: 21_600_000,
  modelMs: 600_000,
  maxModelMs: 86_400_000,
  expiredMs: 60_000,
  maxExpiredMs: 3_600_000,
  rejectionsBeforeProbe: 5,
  minProbeIntervalMs: 30_000,
  probeCheckIntervalMs: 2_000,
};

/** Why a breaker last opened; empty when it has not opened since it recovered. */
export type OpenCause = '' | 'failures' | 'credit';

/** The breaker state that replicas share. Times are milliseconds of the local monotonic clock, 0 when unset. */
export interface BreakerState {
  /** Whether a turn or a probe has succeeded since the connection was connected. */
  proven: boolean;
  expired: boolean;
  /** Expiries in a row: no turn has succeeded since the first of them. */
  expiries: number;
  /** The latest evidence about the credentials is a single HTTP 401 that nothing has confirmed yet. */
  unauthorizedOnce: boolean;
  rateLimitedUntil: number;
  openCause: OpenCause;
  openUntil: number;
  /** Openings in a row for the same cause; 0 once a turn has succeeded. */
  openings: number;
  /** Turns are admitted again after a probe that was not a turn: the next failure of the same kind reopens the breaker at once. */
  onTrial: boolean;
  /** When the gateway probes the connection; 0 when no probe is needed. */
  probeAt: number;
  /** Features that the upstream refused recently. They do not affect the admission of turns. */
  refused: readonly string[];
  /** Models that the upstream recently rejected as unknown. */
  resting: readonly ModelPause[];
}

/** The initial breaker state, of a connection without any outcome yet. */
export const INITIAL_BREAKER_STATE: BreakerState = {
  proven: false,
  expired: false,
  expiries: 0,
  unauthorizedOnce: false,
  rateLimitedUntil: 0,
  openCause: '',
  openUntil: 0,
  openings: 0,
  onTrial: false,
  probeAt: 0,
  refused: [],
  resting: [],
};

/** The admission of a breaker: any turn (`closed`), one probing turn (`half_open`), or none (the others). */
export type Admission = 'closed' | 'half_open' | 'open' | 'rate_limited' | 'expired';

/** The admission that follows from a state at the time `now`. */
export function toAdmission(state: BreakerState, now: number): Admission {
  if (state.expired) return 'expired';
  if (state.rateLimitedUntil > now) return 'rate_limited';
  if (state.openings === 0 || state.onTrial) return 'closed';
  return state.openUntil > now ? 'open' : 'half_open';
}

/** Milliseconds until neither a rate limit nor a cooldown is in effect; 0 when none is. */
export function getRemainingCooldownMs(state: BreakerState, now: number): number {
  return Math.max(0, state.rateLimitedUntil - now, state.openUntil - now);
}

/** State after the upstream served a feature or refused it; the same object when nothing changed. */
export function withFeatureOutcome(state: BreakerState, feature: string, isServed: boolean): BreakerState {
  if (state.refused.includes(feature) !== isServed) return state;
  return { ...state, refused: isServed ? state.refused.filter((other) => other !== feature) : [...state.refused, feature] };
}
