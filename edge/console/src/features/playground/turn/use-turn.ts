import { useSyncExternalStore } from 'react';
import { type RunningTurn, type TurnState } from './running-turn.ts';
import { runningTurns, type Slot } from './turns.ts';

const nothing = () => undefined;
const never = () => nothing;

/** The turn of a conversation that runs or was the last one here, and what is known of it now. */
export function useTurn(slot: Slot): { turn: RunningTurn; state: TurnState } | undefined {
  const turn = useSyncExternalStore(runningTurns.subscribe, () => runningTurns.of(slot));
  const state = useSyncExternalStore<TurnState | undefined>(turn?.subscribe ?? never, turn?.shown ?? nothing);
  return turn && state && { turn, state };
}
