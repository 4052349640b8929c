import { ObjectMap } from '@parley/kit/collections/object-map';
import { GroupCommit } from '@parley/kit/db/group-commit';
import { counter } from '@parley/kit/telemetry/meter';
import type { Pool } from 'pg';
import { type ClosingTurn } from '../domain/turn-ended-event.ts';
import { type NewTurn, type TurnMove } from '../domain/turn.ts';
import { type AbandonmentLimits } from './abandonment-limits.ts';
import { beginLargeTurn, needsLargeTransaction } from './begin-large-turn.ts';
import { beginTurns } from './begin-turns.ts';
import { type StoredBinding, readBindings } from './bindings.ts';
import { endTurns } from './end-turns.ts';
import { type HistoryQuery, type StoredHistory, readHistories } from './history.ts';
import { MeasuredGroupCommits } from './measured-group-commits.ts';
import { endTurnsWithAssets } from './message-assets.ts';
import { moveTurns } from './move-turns.ts';
import { type PartialText, savePartials } from './partials.ts';

/** Reads and writes turns; groups the statements of concurrent turns by kind. */
export interface TurnStore {
  /** The binding of a conversation, deleted or not, by its id in lower case; undefined for an unknown id. */
  findBinding(conversationId: string): Promise<StoredBinding | undefined>;
  /** The messages of a conversation; see `readHistories`. */
  findHistory(question: HistoryQuery): Promise<StoredHistory | undefined>;
  /** True when the turn was written; see `beginTurns`. */
  begin(turn: NewTurn): Promise<boolean>;
  /** True when the turn and its conversation are now bound to the other connection; see `moveTurns`. */
  move(move: TurnMove): Promise<boolean>;
  /** True when this call ended the turn; see `endTurns`. */
  end(turn: ClosingTurn): Promise<boolean>;
  savePartial(partial: PartialText): Promise<void>;
  /** Numbers of rows that wait for a commit, by statement; the samples of a gauge. */
  listQueueSizes: MeasuredGroupCommits['listQueueSizes'];
  /** Resolves when no statement is queued or running. */
  drain(): Promise<void>;
}

const TOKENS = counter('parley_recorded_tokens_total');
const INPUT = { type: 'input' };
const OUTPUT = { type: 'output' };

/** Under load a group collects requests for this time: the fixed cost of a statement does not depend on the size of the group. */
const PACE_MS = 5;
/** Maximum large turns that wait; each may hold 19 MB. */
const MAX_LARGE_QUEUE = 32;

/** Called after commits that insert events into the outbox. */
export interface TurnStoreCallbacks {
  /** Turns ended. */
  onEnded: () => void;
  /** Other events were inserted. */
  onEvents: () => void;
}

/** Opens the store of turns. */
export function openTurnStore(pool: Pool, limits: AbandonmentLimits, { onEnded, onEvents }: TurnStoreCallbacks): TurnStore {
  // Reads are grouped like writes: under load one statement for many is far cheaper. Two run concurrently, so that a read seldom waits.
  const bindings = new GroupCommit<string, StoredBinding | undefined>({
    write: (ids) => readBindings(pool, ids, limits),
    concurrency: 2,
  });
  const histories = new GroupCommit<HistoryQuery, StoredHistory | undefined>({
    write: (queries) => readHistories(pool, queries),
    concurrency: 2,
    // Histories may be long: bounds the memory of one statement.
    maxBatch: 16,
  });
  const commits = new MeasuredGroupCommits();
  const begins = commits.open<NewTurn, boolean>('begin', { write: (turns) => beginTurns(pool, turns), maxPauseMs: PACE_MS });
  // Large turns are written one at a time, in parallel with the groups: within a group they would delay the others.
  const largeBegins = commits.open<NewTurn, boolean>('begin_large', {
    write: (turns) => Promise.all(turns.map((turn) => beginLargeTurn(pool, turn))),
    maxBatch: 1,
    maxQueue: MAX_LARGE_QUEUE,
  });
  const endsBy = (statement: string, write: typeof endTurnsWithAssets) =>
    commits.open<ClosingTurn, boolean>(statement, {
      maxPauseMs: PACE_MS,
      write: async (turns) => {
        const closed = await write(pool, turns);
        if (closed.includes(true)) onEnded();
        countTokens(turns, closed);
        return closed;
      },
    });
  const ends = endsBy('end', endTurns);
  const endsWithAssets = endsBy('end_with_assets', endTurnsWithAssets);
  const moves = commits.open<TurnMove, boolean>('move', { write: (turns) => moveTurns(pool, turns, onEvents), maxPauseMs: PACE_MS });
  const partials = commits.open<PartialText>('partial', { write: (rows) => savePartials(pool, rows) });
  const commitStart = (turn: NewTurn) => (needsLargeTransaction(turn) ? largeBegins : begins).add(turn);
  const starting = new ObjectMap<Promise<boolean>>();

  /** Resolves when the start of the turn is no longer being written. */
  const started = (turnId: string) => starting.get(turnId)?.catch(() => undefined);

  return {
    findBinding: (conversationId) => bindings.add(conversationId),
    findHistory: (question) => histories.add(question),
    begin: (turn) => {
      const written = commitStart(turn);
      const forget = () => void (starting.get(turn.turnId) === written && starting.delete(turn.turnId));
      starting.set(turn.turnId, written);
      written.then(forget, forget);
      return written;
    },
    move: async (turn) => {
      await started(turn.turnId);
      return moves.add(turn);
    },
    end: async (turn) => {
      // A caller that timed out on the start ends the turn while the start may still be queued:
      // an end that overtakes it finds no turn, and the turn stays open.
      await started(turn.end.turnId);
      return (turn.end.artifacts.length > 0 ? endsWithAssets : ends).add(turn);
    },
    savePartial: (partial) => partials.add(partial),
    listQueueSizes: () => commits.listQueueSizes(),
    drain: async () => {
      await Promise.all([begins.drain(), largeBegins.drain(), ends.drain(), endsWithAssets.drain(), moves.drain(), partials.drain()]);
    },
  };
}

/** Counts the tokens of the turns that this group has ended. */
function countTokens(turns: readonly ClosingTurn[], closed: readonly boolean[]): void {
  let [input, output] = [0, 0];
  for (const [at, { end }] of turns.entries()) {
    if (!closed[at]) continue;
    input += end.tokensIn;
    output += end.tokensOut;
  }
  TOKENS.add(INPUT, input);
  TOKENS.add(OUTPUT, output);
}
