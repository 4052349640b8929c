import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  findNextState,
  INITIAL_TURN_STATE,
  hasEnded,
  isAnswering,
  isRetrying,
  isStartCommitted,
  TURN_TRANSITIONS,
  type TurnState,
  type TurnStateEvent,
} from './turn-state.ts';

const STATES = Object.keys(TURN_TRANSITIONS) as TurnState[];
const EVENTS: readonly TurnStateEvent[] = [
  ...(['startCommitted', 'startLost', 'attemptBegun', 'attemptFailed'] as const),
  ...(['accepted', 'ended', 'recorded'] as const),
];
const aWalk = fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 });

interface Step {
  before: TurnState;
  event: TurnStateEvent;
  after: TurnState;
}

/** The transitions that a sequence of events leads to, without those that change nothing. */
function walk(events: readonly TurnStateEvent[]): Step[] {
  const steps: Step[] = [];
  let state = INITIAL_TURN_STATE;
  for (const event of events) {
    const next = findNextState(state, event);
    if (next) steps.push({ before: state, event, after: next });
    state = next ?? state;
  }
  return steps;
}

const successors = (state: TurnState) => EVENTS.flatMap((event) => findNextState(state, event) ?? []);

/** The states that can be reached from one, itself included. */
function reachable(from: TurnState): ReadonlySet<TurnState> {
  const found = new Set([from]);
  for (const state of found) for (const next of successors(state)) found.add(next);
  return found;
}

describe('the states of a turn', () => {
  it('are all reached from the first one', () => {
    expect([...reachable(INITIAL_TURN_STATE)].sort()).toEqual([...STATES].sort());
  });

  it('all lead to the final one, which no event leaves', () => {
    for (const state of STATES) expect(reachable(state)).toContain('closed');
    expect(STATES.filter((state) => successors(state).length === 0)).toEqual(['closed']);
  });

  it('end on every path once the record and the upstream have answered', () => {
    fc.assert(
      fc.property(aWalk, fc.constantFrom<TurnStateEvent>('startCommitted', 'startLost'), (events, startAnswer) => {
        const steps = walk([...events, startAnswer, 'ended', 'recorded']);
        expect(steps.at(-1)?.after).toBe('closed');
      }),
    );
  });

  it('know one outcome and close once', () => {
    fc.assert(
      fc.property(aWalk, (events) => {
        const steps = walk(events);
        expect(steps.filter(({ before, after }) => !hasEnded(before) && hasEnded(after)).length).toBeLessThanOrEqual(1);
        expect(steps.filter(({ before, after }) => hasEnded(before) && !hasEnded(after))).toEqual([]);
        expect(steps.filter(({ after }) => after === 'closed').length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('allow no answer before the start is committed, and lose no committed start', () => {
    fc.assert(
      fc.property(aWalk, (events) => {
        const steps = walk(events);
        const committedAt = steps.findIndex(({ event }) => event === 'startCommitted');
        for (const [at, { before, after, event }] of steps.entries()) {
          expect(isStartCommitted(after) && (committedAt < 0 || at < committedAt)).toBe(false);
          if (isStartCommitted(before)) expect(isStartCommitted(after) || event === 'recorded').toBe(true);
        }
      }),
    );
  });

  it('record an outcome only with or behind its start', () => {
    fc.assert(
      fc.property(aWalk, (events) => {
        for (const { before, after } of walk(events)) {
          if (!after.endsWith('/recording') || before.endsWith('/recording')) continue;
          expect(isStartCommitted(after)).toBe(true);
        }
      }),
    );
  });

  it('accept a turn once and try no other connection behind that', () => {
    fc.assert(
      fc.property(aWalk, (events) => {
        const steps = walk(events);
        const acceptedAt = steps.findIndex(({ event }) => event === 'accepted');
        if (acceptedAt < 0) return;
        const later = steps.slice(acceptedAt + 1);
        expect(later.map(({ event }) => event)).not.toContain('accepted');
        expect(later.some(({ after }) => isRetrying(after))).toBe(false);
        for (const { before, after } of later) if (isAnswering(after)) expect(isAnswering(before)).toBe(true);
      }),
    );
  });

  it('begin another attempt only where the last one failed', () => {
    fc.assert(
      fc.property(aWalk, (events) => {
        const attempts = walk(events).map(({ event }) => event);
        const begun = attempts.filter((event) => event === 'attemptBegun').length;
        const failed = attempts.filter((event) => event === 'attemptFailed').length;
        expect([begun, begun + 1]).toContain(failed);
      }),
    );
  });
});
