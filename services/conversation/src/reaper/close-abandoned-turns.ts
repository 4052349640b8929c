import { counter } from '@parley/kit/telemetry/meter';
import { toClosingTurn } from '../domain/turn-ended-event.ts';
import { type AbandonedTurn, toInterruptedEnd } from '../domain/turn.ts';
import { ABANDONED_PAGE_SIZE, findAbandonedTurn, listOpenRunnerTurns } from '../store/abandoned-turns.ts';
import { type Store } from '../store/store.ts';

const REAPED = counter('parley_turns_reaped_total');

/** Ends abandoned turns like any other turn; returns how many this call ended. */
async function closeAbandoned(store: Store, abandoned: readonly AbandonedTurn[]): Promise<number> {
  const closed = await Promise.all(abandoned.map((turn) => store.turns.end(toClosingTurn(toInterruptedEnd(turn), store.clock.now()))));
  const count = closed.filter(Boolean).length;
  REAPED.add({}, count);
  return count;
}

/** Ends a turn if it is abandoned; false when it has ended or a runner still runs it. */
export async function closeTurnIfAbandoned(store: Store, turnId: string): Promise<boolean> {
  const turn = await findAbandonedTurn(store.database.turnPool, turnId, store.abandonmentLimits);
  if (!turn) return false;
  await closeAbandoned(store, [turn]);
  return true;
}

/** Ends every open turn of a runner that no longer exists; returns how many. */
export async function closeRunnerTurns(store: Store, runnerId: string): Promise<number> {
  return closeFoundTurns(store, () => listOpenRunnerTurns(store.database.generalPool, runnerId));
}

/** Ends the turns that a search finds until it finds none; returns how many. */
export async function closeFoundTurns(store: Store, search: () => Promise<readonly AbandonedTurn[]>): Promise<number> {
  let closed = 0;
  for (let found = ABANDONED_PAGE_SIZE; found === ABANDONED_PAGE_SIZE;) {
    const turns = await search();
    closed += await closeAbandoned(store, turns);
    found = turns.length;
  }
  return closed;
}
