import { type Run } from '@parley/protos/actions/v1/actions';
import { type RunLogEntry, type StoredRun } from '../domain/run.ts';
import { listWriteEffects } from '../domain/verdict.ts';
import { type Database } from '../store/database.ts';
import { listWriteExecutions } from '../store/read-runs.ts';

/** Converts stored runs to their messages, with their effects. */
export async function toRuns(database: Database, runs: readonly StoredRun[]): Promise<Run[]> {
  const begun = runs.filter(({ startedAt }) => startedAt !== null).map(({ id }) => id);
  const writes = begun.length > 0 ? await listWriteExecutions(database, begun) : new Map<string, RunLogEntry[]>();
  return runs.map((run) => view(run, writes.get(run.id) ?? []));
}

/** Converts a stored run to its message, with its effects. */
export async function toRun(database: Database, run: StoredRun): Promise<Run> {
  const runLog = run.startedAt === null ? [] : (await listWriteExecutions(database, [run.id])).get(run.id);
  return view(run, runLog ?? []);
}

function view(run: StoredRun, writes: readonly RunLogEntry[]): Run {
  const { id, slug, version, status, verdict, output, connectionId, errorCondition, errorMessage, createdAt, updatedAt } = run;
  return {
    ...{ id, slug, version, status, verdict, output, connectionId, createdAt, updatedAt },
    error: errorCondition === null ? undefined : { condition: errorCondition, message: errorMessage ?? '' },
    effects: listWriteEffects(writes),
    startedAt: run.startedAt ?? undefined,
    endedAt: run.endedAt ?? undefined,
  };
}
