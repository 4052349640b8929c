/**
 * State machine of a turn whose connection is chosen: for each state, the events that it reacts to and the state that follows. A state
 * ignores events that it does not list. The first half of a name tells whether the start of the turn is committed, the second how far its
 * answer is:
 *
 * - `asking`: an attempt is about to begin, or waits for acceptance by its upstream.
 * - `retrying`: the last attempt failed; the next connection is being chosen.
 * - `answering`: an upstream has accepted the turn.
 * - `ended`: the outcome is known, and waits until the start is committed.
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

/** A state of the table. */
export type TurnState = keyof typeof TURN_TRANSITIONS;

/**
 * Events of a turn. `startCommitted`: the start is committed. `startLost`: it is not, or that is uncertain. `attemptBegun`,
 * `attemptFailed`, `accepted`: progress of the attempts to send it to an upstream. `ended`: the outcome is known. `recorded`: the outcome
 * is committed and sent, or the client got an error because that failed.
 */
export type TurnStateEvent = 'startCommitted' | 'startLost' | 'attemptBegun' | 'attemptFailed' | 'accepted' | 'ended' | 'recorded';

/** The initial state: the start is not committed yet. */
export const INITIAL_TURN_STATE: TurnState = 'uncommitted/asking';

/** Returns the state that follows an event; undefined when the state ignores it. */
export function findNextState(state: TurnState, event: TurnStateEvent): TurnState | undefined {
  const transitions: Partial<Record<TurnStateEvent, TurnState>> = TURN_TRANSITIONS[state];
  return transitions[event];
}

/** Whether the start is committed; before that, nothing may be sent to the client. False for `closed`. */
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
