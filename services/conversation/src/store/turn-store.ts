import { ObjectMap } from '@parley/kit/collections/object-map';
import { GroupCommit } from '@parley/kit/db/group-commit';
import type { Pool } from 'pg';
import { type NewTurn, type TurnMove } from '../domain/turn.ts';
import { beginLargeTurn, isLarge } from './begin-large-turn.ts';
import { beginTurns } from './begin-turns.ts';
import { type StoredBinding, readBindings } from './bindings.ts';
import { type ClosingTurn, endTurns } from './end-turns.ts';
import { DeferredStarts } from './deferred-starts.ts';
import { type HistoryQuery, type StoredHistory, readHistories } from './history.ts';
import { type Liveness } from './liveness.ts';
import { endTurnsWithAssets } from './message-assets.ts';
import { moveTurns } from './move-turns.ts';
import { type PartialText, savePartials } from './partials.ts';
import { type SingleCommitTurn, writeSingleCommitTurns } from './single-commit-turns.ts';

/** Reads and writes turns; groups the statements of concurrent turns by kind. */
export interface TurnStore {
  /** The binding of a conversation, deleted or not, by its id in lower case; undefined for an unknown id. */
  binding(conversationId: string): Promise<StoredBinding | undefined>;
  /** The messages of a conversation; see `readHistories`. */
  history(question: HistoryQuery): Promise<StoredHistory | undefined>;
  /** True when the turn was written; see `beginTurns`. A deferred commit may wait a few milliseconds for the end of the turn. */
  begin(turn: NewTurn, deferCommit?: boolean): Promise<boolean>;
  /** True when the turn and its conversation are on the other connection; see `moveTurns`. */
  move(move: TurnMove): Promise<boolean>;
  /** True when this call ended the turn; see `endTurns`. */
  end(turn: ClosingTurn): Promise<boolean>;
  savePartial(partial: PartialText): Promise<void>;
  /** Commits what is deferred and resolves when no statement is queued or running. */
  drain(): Promise<void>;
}

/** Under load a group collects requests for this time: the fixed cost of a statement does not depend on the size of the group. */
const PACE_MS = 5;
/** Large turns that may wait; each may hold 19 MB. */
const MAX_LARGE_QUEUE = 32;

/** Called after commits that insert events into the outbox. */
export interface TurnStoreEvents {
  /** Turns ended. */
  onEnded: () => void;
  /** Other events were inserted. */
  onEvents: () => void;
}

/** Opens the store of turns. */
export function openTurnStore(pool: Pool, liveness: Liveness, { onEnded, onEvents }: TurnStoreEvents): TurnStore {
  // Reads are grouped like writes: under load one statement for many is far cheaper. Two lanes, so that a read seldom waits for another.
  const bindings = new GroupCommit<string, StoredBinding | undefined>({ write: (ids) => readBindings(pool, ids, liveness), lanes: 2 });
  const histories = new GroupCommit<HistoryQuery, StoredHistory | undefined>({
    write: (queries) => readHistories(pool, queries),
    lanes: 2,
    // Histories may be long: bounds the memory of one statement.
    maxBatch: 16,
  });
  const begins = new GroupCommit<NewTurn, boolean>({ write: (turns) => beginTurns(pool, turns), paceMs: PACE_MS });
  // Large turns are written one at a time, beside the groups: in a group they would delay the others.
  const largeBegins = new GroupCommit<NewTurn, boolean>({
    write: (turns) => Promise.all(turns.map((turn) => beginLargeTurn(pool, turn))),
    maxBatch: 1,
    maxQueue: MAX_LARGE_QUEUE,
  });
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
  const singleCommits = new GroupCommit<SingleCommitTurn, boolean>({
    paceMs: PACE_MS,
    write: async (turns) => {
      const written = await writeSingleCommitTurns(pool, turns);
      if (written.includes(true)) onEnded();
      return written;
    },
  });
  const moves = new GroupCommit<TurnMove, boolean>({ write: (turns) => moveTurns(pool, turns, onEvents), paceMs: PACE_MS });
  const partials = new GroupCommit<PartialText>({ write: (rows) => savePartials(pool, rows) });
  const commitStart = (turn: NewTurn) => (isLarge(turn) ? largeBegins : begins).add(turn);
  const deferred = new DeferredStarts(commitStart);
  const starting = new ObjectMap<Promise<boolean>>();

  /** Commits start and end together; undefined without a deferred start, or when the turn exists already and needs the separate statements. */
  async function endDeferred(closing: ClosingTurn): Promise<boolean | undefined> {
    const start = deferred.take(closing.end);
    if (!start) return undefined;
    const { turn, resolve, reject } = start;
    try {
      const written = await singleCommits.add({ turn, closing });
      resolve(written || begins.add(turn));
      return written || undefined;
    } catch (error) {
      reject(error);
      throw error;
    }
  }

  /** Resolves when the start of the turn is no longer being written. */
  const started = (turnId: string) => starting.get(turnId)?.catch(() => undefined);

  return {
    binding: (conversationId) => bindings.add(conversationId),
    history: (question) => histories.add(question),
    begin: (turn, deferCommit = false) => {
      const mayWait = deferCommit && turn.opens && turn.idempotencyKey === null && !isLarge(turn);
      const written = mayWait ? deferred.defer(turn) : commitStart(turn);
      const forget = () => void (starting.get(turn.turnId) === written && starting.delete(turn.turnId));
      starting.set(turn.turnId, written);
      written.then(forget, forget);
      return written;
    },
    move: async (turn) => {
      deferred.commit(turn);
      await started(turn.turnId);
      return moves.add(turn);
    },
    end: async (turn) => {
      const hasAssets = turn.end.artifacts.length > 0;
      if (hasAssets) deferred.commit(turn.end);
      const together = await endDeferred(turn);
      if (together !== undefined) return together;
      // A caller that timed out on the start ends the turn while the start may still be queued:
      // an end that overtakes it finds no turn, and the turn stays open.
      await started(turn.end.turnId);
      return (hasAssets ? endsWithAssets : ends).add(turn);
    },
    savePartial: (partial) => partials.add(partial),
    drain: async () => {
      deferred.commitAll();
      await Promise.all([
        begins.drain(),
        largeBegins.drain(),
        singleCommits.drain(),
        ends.drain(),
        endsWithAssets.drain(),
        moves.drain(),
        partials.drain(),
      ]);
    },
  };
}
