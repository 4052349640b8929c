import { toBackoff } from './backoff.ts';
import { type BreakerPolicy, type BreakerState, type OpenCause } from './breaker.ts';

/** Input of a breaker transition besides its state. */
export interface TransitionContext {
  /** Local monotonic clock in milliseconds. */
  now: number;
  policy: BreakerPolicy;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

/** Maximum share of a wait that is added to a probe's time, so that connections that failed together are not probed together. */
const JITTER = 0.1;

/** State after the breaker opens: no turns until the cooldown ends, then a probe. The backoff restarts when the cause changes. */
export function toOpenState(state: BreakerState, cause: Exclude<OpenCause, ''>, moment: TransitionContext): BreakerState {
  const { now, policy } = moment;
  const openings = state.openCause === cause ? state.openings + 1 : 1;
  const wait =
    cause === 'credit'
      ? toBackoff(policy.creditMs, openings, policy.maxCreditMs)
      : toBackoff(policy.cooldownMs, openings, policy.maxCooldownMs);
  const probeAt = state.expired ? state.probeAt : jittered(wait, moment);
  return { ...state, openCause: cause, openings, openUntil: now + wait, onTrial: false, probeAt };
}

/** State after the credentials are known to be rejected. They are probed at growing intervals. */
export function toExpiredState(state: BreakerState, moment: TransitionContext): BreakerState {
  const expiries = state.expiries + 1;
  const wait = toBackoff(moment.policy.expiredMs, expiries, moment.policy.maxExpiredMs);
  return { ...state, expired: true, expiries, unauthorizedOnce: false, onTrial: false, probeAt: jittered(wait, moment) };
}

/** State after a successful turn: all failures are forgotten. The same object when nothing changed. */
export function toRecoveredState(state: BreakerState): BreakerState {
  const isWell =
    state.proven && !state.expired && state.openings === 0 && state.expiries === 0 && !state.unauthorizedOnce && state.probeAt === 0;
  if (isWell) return state;
  const well = { proven: true, expired: false, expiries: 0, unauthorizedOnce: false };
  return { ...state, ...well, openCause: '', openUntil: 0, openings: 0, onTrial: false, probeAt: 0 };
}

/** State after a successful probe that was not a turn: turns are admitted on trial, and earlier openings and expiries still count. */
export function toTrialState(state: BreakerState): BreakerState {
  return { ...state, expired: false, openUntil: 0, onTrial: state.expired || state.openings > 0, probeAt: 0 };
}

/** State with a probe scheduled at `at`; the same object when an earlier probe is scheduled or the credentials have expired. */
export function withScheduledProbe(state: BreakerState, at: number): BreakerState {
  return state.expired || (state.probeAt !== 0 && state.probeAt <= at) ? state : { ...state, probeAt: at };
}

function jittered(wait: number, { now, random }: TransitionContext): number {
  return now + wait * (1 + JITTER * random());
}
