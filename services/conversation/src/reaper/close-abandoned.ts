import { type AbandonedTurn, interruption } from '../domain/turn.ts';
import { turnEnded } from '../domain/turn-event.ts';
import { PAGE, abandonedTurn, openTurnsOfRunner } from '../store/abandoned-turns.ts';
import type { Store } from '../store/store.ts';

/** Ends abandoned turns the way every turn ends, and gives how many of them it was that ended them. */
async function closeAbandoned({ journal, clock }: Store, turns: readonly AbandonedTurn[]): Promise<number> {
  const closed = await Promise.all(
    turns.map((turn) => {
      const end = interruption(turn);
      return journal.end({ end, event: turnEnded(end, clock.now()) });
    }),
  );
  return closed.filter((mine) => mine).length;
}

/** Ends a turn if nobody runs it any more; false when it has ended or somebody does. */
export async function closeIfAbandoned(store: Store, turnId: string): Promise<boolean> {
  const turn = await abandonedTurn(store.database.hot, turnId, store.liveness);
  if (!turn) return false;
  await closeAbandoned(store, [turn]);
  return true;
}

/** Ends every open turn of a runner that is gone, and gives how many. */
export async function closeTurnsOfRunner(store: Store, runnerId: string): Promise<number> {
  return closeAll(store, () => openTurnsOfRunner(store.database.cold, runnerId));
}

/** Ends what a search finds until it finds no more. */
export async function closeAll(store: Store, search: () => Promise<readonly AbandonedTurn[]>): Promise<number> {
  let closed = 0;
  for (let found = PAGE; found === PAGE;) {
    const turns = await search();
    closed += await closeAbandoned(store, turns);
    found = turns.length;
  }
  return closed;
}
