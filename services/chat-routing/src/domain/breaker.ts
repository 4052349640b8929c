import { type ModelRest } from './resting-models.ts';

/** Tuning of the health of connections; times in milliseconds. */
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
  /** Pause after an upstream 429. @default 300_000 */
  rateLimitMs: number;
  /** First rest of a connection whose credit is spent; doubles. @default 300_000 */
  creditMs: number;
  /** @default 21_600_000 */
  maxCreditMs: number;
  /** First rest of a model that the upstream does not know; doubles. @default 600_000 */
  modelMs: number;
  /** @default 86_400_000 */
  maxModelMs: number;
  /** When expired credentials are probed first; doubles. @default 60_000 */
  expiredMs: number;
  /** @default 3_600_000 */
  maxExpiredMs: number;
  /** Different conversations in a row whose requests are rejected before the connection is probed. @default 5 */
  rejections: number;
  /** Least time between two probes of a connection that still admits turns. @default 30_000 */
  doubtMs: number;
  /** How often a process looks for connections that are due to be probed; a fifth as often while it knows of none. @default 2_000 */
  lookMs: number;
}

export const DEFAULT_POLICY: BreakerPolicy = {
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
  rejections: 5,
  doubtMs: 30_000,
  lookMs: 2_000,
};

/** Why a breaker is open; empty while it never was. */
export type OpenCause = '' | 'failures' | 'credit';

/** The part of a breaker that replicas share. Times are on the local monotonic clock, 0 when unset. */
export interface BreakerState {
  /** A turn or a probe has succeeded since the connection was connected. */
  proven: boolean;
  expired: boolean;
  /** Expiries in a row: no turn has succeeded since the first of them. */
  expiries: number;
  /** The last turn that says anything of the credentials was answered with HTTP 401, and nothing has confirmed it yet. */
  unauthorizedOnce: boolean;
  rateLimitedUntil: number;
  openCause: OpenCause;
  openUntil: number;
  /** Openings in a row for the same cause; 0 once a turn has succeeded. */
  openings: number;
  /** A probe that was no turn let turns in again: the next failure of the same kind counts at once. */
  onTrial: boolean;
  /** When the gateway probes it; 0 when there is nothing to find out. */
  probeAt: number;
  /** Features that the upstream refused lately, whatever else works. They admit no less for it. */
  refused: readonly string[];
  /** Models that the upstream did not know when they were asked for. */
  resting: readonly ModelRest[];
}

export const CLOSED: BreakerState = {
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

/** What a breaker lets through: any turn, one probing turn, or none. */
export type Admission = 'closed' | 'half_open' | 'open' | 'rate_limited' | 'expired';

/** How the account of a breaker admits turns at a moment. */
export function toAdmission(state: BreakerState, now: number): Admission {
  if (state.expired) return 'expired';
  if (state.rateLimitedUntil > now) return 'rate_limited';
  if (state.openings === 0 || state.onTrial) return 'closed';
  return state.openUntil > now ? 'open' : 'half_open';
}

/** Milliseconds until the connection admits a turn again; 0 when it does now. */
export function cooldownLeft(state: BreakerState, now: number): number {
  return Math.max(0, state.rateLimitedUntil - now, state.openUntil - now);
}

/** State after the upstream refused a feature, or served it; the same object when nothing changed. */
export function withFeature(state: BreakerState, feature: string, isServed: boolean): BreakerState {
  if (state.refused.includes(feature) !== isServed) return state;
  return { ...state, refused: isServed ? state.refused.filter((other) => other !== feature) : [...state.refused, feature] };
}
