import type { Run } from '@parley/protos/actions/v1/actions';
import type { JournalEntry, StoredRun } from '../domain/run.ts';
import { effectsOf } from '../domain/verdict.ts';
import type { Database } from '../store/database.ts';
import { writesOf } from '../store/read-runs.ts';

/** Stored runs as the contract has them, with what they did to the world. */
export async function toRuns(database: Database, runs: readonly StoredRun[]): Promise<Run[]> {
  const begun = runs.filter(({ startedAt }) => startedAt !== null).map(({ id }) => id);
  const writes = begun.length > 0 ? await writesOf(database, begun) : new Map<string, JournalEntry[]>();
  return runs.map((run) => view(run, writes.get(run.id) ?? []));
}

/** One of them. */
export async function toRun(database: Database, run: StoredRun): Promise<Run> {
  const journal = run.startedAt === null ? [] : (await writesOf(database, [run.id])).get(run.id);
  return view(run, journal ?? []);
}

function view(run: StoredRun, writes: readonly JournalEntry[]): Run {
  const { id, slug, version, status, verdict, output, connectionId, errorCondition, errorMessage, createdAt, updatedAt } = run;
  return {
    ...{ id, slug, version, status, verdict, output, connectionId, createdAt, updatedAt },
    error: errorCondition === null ? undefined : { condition: errorCondition, message: errorMessage ?? '' },
    effects: effectsOf(writes),
    startedAt: run.startedAt ?? undefined,
    endedAt: run.endedAt ?? undefined,
  };
}
