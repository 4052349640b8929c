import { GroupCommit } from '@parley/kit/db/group-commit';
import type { Pool } from 'pg';
import type { NewTurn } from '../domain/turn.ts';
import { beginTurns } from './begin-turns.ts';
import { type ClosingTurn, endTurns } from './end-turns.ts';
import { type PartialText, savePartials } from './partials.ts';

/** The turn's writes, each kind committed in groups across the turns in flight. */
export interface Journal {
  /** True when the turn was written; see `beginTurns`. */
  begin(turn: NewTurn): Promise<boolean>;
  /** True when this ended the turn; see `endTurns`. */
  end(turn: ClosingTurn): Promise<boolean>;
  savePartial(partial: PartialText): Promise<void>;
  /** Resolves when nothing waits and nothing is in flight. */
  drain(): Promise<void>;
}

/** Opens the journal. `onEnded` is called after each commit that put events into the outbox. */
export function openJournal(pool: Pool, onEnded: () => void): Journal {
  const begins = new GroupCommit<NewTurn, boolean>({ write: (turns) => beginTurns(pool, turns) });
  const ends = new GroupCommit<ClosingTurn, boolean>({
    write: async (turns) => {
      const closed = await endTurns(pool, turns);
      if (closed.includes(true)) onEnded();
      return closed;
    },
  });
  const partials = new GroupCommit<PartialText>({ write: (rows) => savePartials(pool, rows) });
  const beginning = new Map<string, Promise<unknown>>();
  return {
    begin: (turn) => {
      const written = begins.add(turn);
      const settled = written.then(forget, forget);
      function forget(): void {
        if (beginning.get(turn.turnId) === settled) beginning.delete(turn.turnId);
      }
      beginning.set(turn.turnId, settled);
      return written;
    },
    end: async (turn) => {
      // A caller that waited too long for the beginning gives the turn up while it may still be in the queue:
      // an end that overtook it would find no turn, and the turn would stay open.
      await beginning.get(turn.end.turnId);
      return ends.add(turn);
    },
    savePartial: (partial) => partials.add(partial),
    drain: async () => void (await Promise.all([begins.drain(), ends.drain(), partials.drain()])),
  };
}
