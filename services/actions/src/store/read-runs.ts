import { isUuid } from '@parley/kit/ids/uuid';
import { type StoredRunEvent } from '../domain/run-event.ts';
import { type RunLogEntry, type StoredRun } from '../domain/run.ts';
import { type Database } from './database.ts';
import { RUN_COLUMNS, RUN_LOG_COLUMNS } from './run-row.ts';

/** Finds a run of any workspace; undefined when it does not exist or the id is not a UUID. */
export async function findRun({ pool }: Database, id: string): Promise<StoredRun | undefined> {
  if (!isUuid(id)) return undefined;
  return (await pool.query<StoredRun>(`SELECT ${RUN_COLUMNS} FROM runs WHERE id = $1`, [id])).rows[0];
}

/** Returns a page of a workspace's runs of an action, newest first, and the total number; an empty status matches all. */
export async function listRuns(
  { pool }: Database,
  where: { workspaceId: string; slug: string; status: string },
  page: { limit: number; offset: number },
): Promise<{ runs: StoredRun[]; total: number }> {
  const condition = `workspace_id = $1 AND slug = $2 AND ($3 = '' OR status = $3)`;
  const values = [where.workspaceId, where.slug, where.status];
  const [{ rows: runs }, { rows: counts }] = await Promise.all([
    pool.query<StoredRun>(`SELECT ${RUN_COLUMNS} FROM runs WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`, [
      ...values,
      ...[page.limit, page.offset],
    ]),
    pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM runs WHERE ${condition}`, values),
  ]);
  return { runs, total: counts[0]?.total ?? 0 };
}

/** Returns the finished executions of runs that may have had effects, in order, by run id. */
export async function listWriteExecutions({ pool }: Database, ids: readonly string[]): Promise<Map<string, RunLogEntry[]>> {
  const { rows } = await pool.query<RunLogEntry & { runId: string }>(
    `SELECT run_id AS "runId", ${RUN_LOG_COLUMNS} FROM run_steps
     WHERE run_id = ANY ($1::uuid[]) AND risk <> 'read' AND effect <> 'none' AND status <> 'started' ORDER BY run_id, ordinal`,
    [ids],
  );
  const byRun = new Map<string, RunLogEntry[]>();
  for (const row of rows) byRun.set(row.runId, [...(byRun.get(row.runId) ?? []), row]);
  return byRun;
}

/** Returns the run log of a run, in order. */
export async function readRunLog({ pool }: Database, id: string): Promise<RunLogEntry[]> {
  return (await pool.query<RunLogEntry>(`SELECT ${RUN_LOG_COLUMNS} FROM run_steps WHERE run_id = $1 ORDER BY ordinal`, [id])).rows;
}

/** Returns the events of a run after a sequence number, in order. */
export async function readRunEvents({ pool }: Database, id: string, page: { after: number; limit: number }): Promise<StoredRunEvent[]> {
  const { rows } = await pool.query<StoredRunEvent>(
    `SELECT sequence, type, step_id AS "stepId", data, at FROM run_events WHERE run_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
    [id, page.after, page.limit],
  );
  return rows;
}

/** Returns the number of runs that wait for an operator's review. */
export async function countRunsInReview({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ n: number }>({
    name: 'runs-in-review',
    text: `SELECT count(*)::int AS n FROM runs WHERE status = 'needs_review'`,
  });
  return rows[0]?.n ?? 0;
}
