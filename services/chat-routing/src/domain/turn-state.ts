/**
 * States of a turn that has a connection, and the events that lead from one to the next. An event that a state does not list changes nothing
 * there. The first half of a name says whether the start of the turn is committed, the second how far its answer is:
 *
 * - `asking`: an attempt is about to begin, or waits for its upstream to accept it.
 * - `retrying`: the last attempt failed; the next connection is being chosen.
 * - `answering`: an upstream has accepted the turn.
 * - `ended`: the outcome is known, and waits for the start.
 * - `recording`: the outcome is being committed.
 *
 * `closed` is the only final state: the outcome is recorded and sent, or the start was not committed.
 */
export const TURN_TRANSITIONS = {
  'uncommitted/asking': {
    accepted: 'uncommitted/answering',
    attemptFailed: 'uncommitted/retrying',
    ended: 'uncommitted/ended',
    startCommitted: 'committed/asking',
    startLost: 'closed',
  },
  'uncommitted/retrying': {
    attemptBegun: 'uncommitted/asking',
    ended: 'uncommitted/ended',
    startCommitted: 'committed/retrying',
    startLost: 'closed',
  },
  'uncommitted/answering': {
    ended: 'uncommitted/ended',
    startCommitted: 'committed/answering',
    startLost: 'closed',
  },
  'uncommitted/ended': { startCommitted: 'committed/recording', startLost: 'closed' },
  'committed/asking': { accepted: 'committed/answering', attemptFailed: 'committed/retrying', ended: 'committed/recording' },
  'committed/retrying': { attemptBegun: 'committed/asking', ended: 'committed/recording' },
  'committed/answering': { ended: 'committed/recording' },
  'committed/recording': { recorded: 'closed' },
  closed: {},
} as const;

/** A row of the table. */
export type TurnState = keyof typeof TURN_TRANSITIONS;

/**
 * What happens to a turn. `startCommitted`, `startLost`: the record has its start, or may not have it. `attemptBegun`, `attemptFailed`, `accepted`:
 * of the attempts to put it to an upstream. `ended`: the outcome is known. `recorded`: the outcome is committed and sent, or its client has the error
 * instead.
 */
export type TurnStateEvent = 'startCommitted' | 'startLost' | 'attemptBegun' | 'attemptFailed' | 'accepted' | 'ended' | 'recorded';

/** Where every turn begins: its start is on its way to the record, or still to be sent there. */
export const FIRST_TURN_STATE: TurnState = 'uncommitted/asking';

/** The state that an event leads to; undefined where it changes nothing. */
export function findNextState(state: TurnState, event: TurnStateEvent): TurnState | undefined {
  const transitions: Partial<Record<TurnStateEvent, TurnState>> = TURN_TRANSITIONS[state];
  return transitions[event];
}

/** Whether the start is on record. Before that, nothing of an answer may be sent. */
export function isStartCommitted(state: TurnState): boolean {
  return state.startsWith('committed/');
}

/** Whether an upstream has accepted the turn and its outcome is not known yet. */
export function isAnswering(state: TurnState): boolean {
  return state.endsWith('/answering');
}

/** Whether the turn has no attempt under way because the last one failed. */
export function isRetrying(state: TurnState): boolean {
  return state.endsWith('/retrying');
}

/** Whether the outcome is being committed. */
export function isRecording(state: TurnState): boolean {
  return state.endsWith('/recording');
}

/** Whether the outcome is known. */
export function hasEnded(state: TurnState): boolean {
  return state === 'closed' || state.endsWith('/ended') || isRecording(state);
}
