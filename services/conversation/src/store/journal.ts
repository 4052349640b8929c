import { ObjectMap } from '@parley/kit/collections/object-map';
import { GroupCommit } from '@parley/kit/db/group-commit';
import type { Pool } from 'pg';
import type { NewTurn, TurnMove } from '../domain/turn.ts';
import { beginTurns } from './begin-turns.ts';
import { type StoredBinding, readBindings } from './bindings.ts';
import { type ClosingTurn, endTurns } from './end-turns.ts';
import { HeldBeginnings } from './held-beginnings.ts';
import { type HistoryQuestion, type StoredHistory, readHistories } from './history.ts';
import type { Liveness } from './liveness.ts';
import { endTurnsWithAssets } from './message-assets.ts';
import { moveTurns } from './move-turns.ts';
import { type PartialText, savePartials } from './partials.ts';
import { type WholeTurn, writeWholeTurns } from './whole-turns.ts';

/** What the turn reads and writes, each kind in groups across the turns in flight. */
export interface Journal {
  /** The binding of a conversation, deleted or not, by its id in lower case; undefined for an unknown one. */
  binding(conversationId: string): Promise<StoredBinding | undefined>;
  /** The messages of a conversation; see `readHistories`. */
  history(question: HistoryQuestion): Promise<StoredHistory | undefined>;
  /** True when the turn was written; see `beginTurns`. A relaxed one may wait a few milliseconds for its end. */
  begin(turn: NewTurn, relaxed?: boolean): Promise<boolean>;
  /** True when the turn and its conversation are on the other account now; see `moveTurns`. */
  move(move: TurnMove): Promise<boolean>;
  /** True when this ended the turn; see `endTurns`. */
  end(turn: ClosingTurn): Promise<boolean>;
  savePartial(partial: PartialText): Promise<void>;
  /** Resolves when nothing waits and nothing is in flight. */
  drain(): Promise<void>;
}

/** Under load a group holds what came within this time: a statement costs its plan's start once, whatever it holds. */
const PACE_MS = 5;

/** What is called after commits that put events into the outbox. */
export interface JournalEvents {
  /** Turns ended. */
  onEnded: () => void;
  /** Anything else happened. */
  onTold: () => void;
}

/** Opens the journal. */
export function openJournal(pool: Pool, liveness: Liveness, { onEnded, onTold }: JournalEvents): Journal {
  // Reads gather like writes: under load one statement for many costs far less. Two lanes, so that a read seldom waits for another.
  const bindings = new GroupCommit<string, StoredBinding | undefined>({ write: (ids) => readBindings(pool, ids, liveness), lanes: 2 });
  const histories = new GroupCommit<HistoryQuestion, StoredHistory | undefined>({
    write: (questions) => readHistories(pool, questions),
    lanes: 2,
    // Histories may be long: what one statement brings must not fill the memory.
    maxBatch: 16,
  });
  const begins = new GroupCommit<NewTurn, boolean>({ write: (turns) => beginTurns(pool, turns), paceMs: PACE_MS });
  const endsBy = (write: typeof endTurnsWithAssets) =>
    new GroupCommit<ClosingTurn, boolean>({
      paceMs: PACE_MS,
      write: async (turns) => {
        const closed = await write(pool, turns);
        if (closed.includes(true)) onEnded();
        return closed;
      },
    });
  const ends = endsBy(endTurns);
  const endsWithAssets = endsBy(endTurnsWithAssets);
  const wholes = new GroupCommit<WholeTurn, boolean>({
    paceMs: PACE_MS,
    write: async (turns) => {
      const written = await writeWholeTurns(pool, turns);
      if (written.includes(true)) onEnded();
      return written;
    },
  });
  const moves = new GroupCommit<TurnMove, boolean>({ write: (turns) => moveTurns(pool, turns, onTold), paceMs: PACE_MS });
  const partials = new GroupCommit<PartialText>({ write: (rows) => savePartials(pool, rows) });
  const held = new HeldBeginnings((turn) => begins.add(turn));
  const beginning = new ObjectMap<Promise<boolean>>();

  /** Both in one commit; in two when the turn was there before, which the ordinary statements sort out. */
  async function endHeld(closing: ClosingTurn): Promise<boolean | undefined> {
    const beginning = held.take(closing.end);
    if (!beginning) return undefined;
    const { turn, resolve, reject } = beginning;
    try {
      const written = await wholes.add({ turn, closing });
      resolve(written || begins.add(turn));
      return written || undefined;
    } catch (error) {
      reject(error);
      throw error;
    }
  }

  /** Resolves when the beginning is no longer on its way. */
  const begun = (turnId: string) => beginning.get(turnId)?.catch(() => undefined);

  return {
    binding: (conversationId) => bindings.add(conversationId),
    history: (question) => histories.add(question),
    begin: (turn, relaxed = false) => {
      const written = relaxed && turn.opens && turn.idempotencyKey === null ? held.hold(turn) : begins.add(turn);
      const forget = () => void (beginning.get(turn.turnId) === written && beginning.delete(turn.turnId));
      beginning.set(turn.turnId, written);
      written.then(forget, forget);
      return written;
    },
    move: async (turn) => {
      held.release(turn);
      await begun(turn.turnId);
      return moves.add(turn);
    },
    end: async (turn) => {
      const hasAssets = turn.end.artifacts.length > 0;
      if (hasAssets) held.release(turn.end);
      const together = await endHeld(turn);
      if (together !== undefined) return together;
      // A caller that waited too long for the beginning gives the turn up while it may still be in the queue:
      // an end that overtook it would find no turn, and the turn would stay open.
      await begun(turn.end.turnId);
      return (hasAssets ? endsWithAssets : ends).add(turn);
    },
    savePartial: (partial) => partials.add(partial),
    drain: async () => {
      held.releaseAll();
      await Promise.all([begins.drain(), wholes.drain(), ends.drain(), endsWithAssets.drain(), moves.drain(), partials.drain()]);
    },
  };
}
