import { type BreakerState } from '../domain/breaker.ts';
import { type HealthChange, type HealthRow } from '../store/health.ts';

/** Converts the changed fields of a state to their stored form, with durations instead of times. `now`: on the state's clock. */
export function toHealthChange(state: BreakerState, changed: ReadonlySet<keyof BreakerState>, now: number): HealthChange {
  const { proven, expired, expiries, unauthorizedOnce, openCause, openings, onTrial, refused, resting } = state;
  const isMoved = (['openCause', 'openUntil', 'openings', 'onTrial'] as const).some((field) => changed.has(field));
  return {
    ...(changed.has('proven') && { proven }),
    ...((changed.has('expired') || changed.has('expiries')) && { expired, expiries }),
    ...(changed.has('unauthorizedOnce') && { unauthorizedOnce }),
    ...(isMoved && { openCause, openings, onTrial, openMs: Math.max(0, state.openUntil - now) }),
    ...(changed.has('rateLimitedUntil') && { rateLimitedMs: Math.max(0, state.rateLimitedUntil - now) }),
    ...(changed.has('probeAt') && { probeMs: state.probeAt === 0 ? null : state.probeAt - now }),
    ...(changed.has('refused') && { refused: [...refused] }),
    ...(changed.has('resting') && { resting: resting.map(({ model, rests, until }) => ({ model, rests, ms: until - now })) }),
  };
}

/** Converts a stored row to a breaker state. `now`: on the state's clock. */
export function toBreakerState(row: HealthRow, now: number): BreakerState {
  const { proven, expired, expiries, unauthorizedOnce, openCause, openings, onTrial, refused } = row;
  return {
    ...{ proven, expired, expiries, unauthorizedOnce, openCause, openings, onTrial, refused },
    rateLimitedUntil: until(row.rateLimitedMs, now),
    openUntil: until(row.openMs, now),
    probeAt: row.probeMs === null ? 0 : now + row.probeMs,
    resting: row.resting.map(({ model, rests, ms }) => ({ model, rests, until: now + ms })),
  };
}

function until(ms: number, now: number): number {
  return ms > 0 ? now + ms : 0;
}
