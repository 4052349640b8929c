import { transaction } from '@parley/kit/db/pool';
import { type ClaimedWork, type Lease, type LeaseBacklog, LeaseLostError } from '@parley/kit/leases/lease';
import type { PoolClient } from 'pg';
import { type RunPosition, type StoredRun } from '../domain/run.ts';
import { type Database } from './database.ts';
import { RUN_COLUMNS } from './run-row.ts';
import { type Store } from './store.ts';

/** A run that a worker has claimed, with its progress. */
export interface LeasedRun extends StoredRun, RunPosition, ClaimedWork {
  /** Abandoned attempts of the current step: leases that expired. */
  crashes: number;
  /** Text of a JSON object. */
  input: string;
  /** Milliseconds until its deadline; null until it has started. */
  leftMs: number | null;
}

/** Columns of a query whose rows are `LeasedRun`s. */
export const LEASED_COLUMNS = `${RUN_COLUMNS}, runs.next_step AS "nextStep", runs.executions, runs.retries, runs.generation, runs.crashes, runs.input,
  (extract(epoch FROM runs.deadline_at - now()) * 1000)::float8 AS "leftMs"`;

const LIVE = `status IN ('accepted', 'running', 'cancelling')`;
const DUE = `((lease_until IS NULL AND next_attempt_at <= now()) OR lease_until < now())`;

/**
 * Claims due runs. Runs that are being cancelled come first and do not count against the limit of their workspace; then workspaces take
 * turns: the first run of each before the second of any.
 */
const CLAIM = `
WITH busy AS (
  SELECT workspace_id, count(*) AS runs FROM runs WHERE ${LIVE} AND lease_until >= now() GROUP BY workspace_id
), ranked AS (
  SELECT id, next_attempt_at, CASE status WHEN 'cancelling' THEN 0
    ELSE coalesce(busy.runs, 0) + row_number() OVER (PARTITION BY workspace_id, status = 'cancelling' ORDER BY next_attempt_at, id) END AS place
  FROM runs LEFT JOIN busy USING (workspace_id) WHERE ${LIVE} AND ($5::bool OR status = 'cancelling') AND ${DUE}
), due AS (
  SELECT id FROM ranked WHERE place <= $4 ORDER BY place, next_attempt_at LIMIT $1
), free AS (
  SELECT id, lease_until IS NOT NULL AS taken FROM runs JOIN due USING (id) WHERE ${LIVE} AND ${DUE} FOR UPDATE OF runs SKIP LOCKED
)
UPDATE runs SET generation = generation + 1, crashes = crashes + (lease_until IS NOT NULL)::int, lease_owner = $2,
  lease_until = now() + $3 * interval '1 ms', next_attempt_at = NULL, updated_at = now()
FROM free WHERE runs.id = free.id
RETURNING ${LEASED_COLUMNS}, free.taken AS "takenOver"`;

/** Serializes claims: two replicas would count the same free slots. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('action-runs-claim', 0))`;

/** How many runs to claim, and for whom. */
export interface ClaimOptions {
  limit: number;
  owner: string;
  leaseMs: number;
  /** Maximum number of concurrent runs of one workspace, over all replicas. */
  perWorkspace: number;
  /** When false, only runs that are being cancelled are claimed. */
  executing: boolean;
}

/** Claims runs that are due or whose lease has expired. */
export async function claimRuns(
  { database }: Store,
  { limit, owner, leaseMs, perWorkspace, executing }: ClaimOptions,
): Promise<LeasedRun[]> {
  return transaction(database.pool, async (client) => {
    await client.query(TURN);
    return (await client.query<LeasedRun>(CLAIM, [limit, owner, leaseMs, perWorkspace, executing])).rows;
  });
}

/** Milliseconds until the next run is due or a lease expires; null without a waiting or leased run. */
export async function nextDueMs({ pool }: Database, executing: boolean): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: 'next-due-run',
    text: `SELECT (extract(epoch FROM min(coalesce(lease_until, next_attempt_at)) - now()) * 1000)::float8 AS ms
      FROM runs WHERE ${LIVE} AND ($1::bool OR status = 'cancelling')`,
    values: [executing],
  });
  return rows[0]?.ms ?? null;
}

const BACKLOG = `
SELECT count(*)::int AS pieces, greatest(coalesce(extract(epoch FROM now() - min(due_at)), 0), 0)::float8 AS "oldestSeconds"
FROM (SELECT coalesce(lease_until, next_attempt_at) AS due_at FROM runs
      WHERE ${LIVE} AND ($1::bool OR status = 'cancelling') AND ${DUE} ORDER BY next_attempt_at LIMIT 100000) AS due`;

/** Returns the runs that are due and not leased; when `executing` is false, only those that are being cancelled. */
export async function countBacklog({ pool }: Database, executing: boolean): Promise<LeaseBacklog> {
  const { rows } = await pool.query<LeaseBacklog>({ name: 'run-backlog', text: BACKLOG, values: [executing] });
  return rows[0] ?? { pieces: 0, oldestSeconds: 0 };
}

/** Renews leases for another `leaseMs` milliseconds; returns the ids of those that are still held. */
export async function renewLeases({ database }: Store, held: readonly Lease[], leaseMs: number): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ id: string }>(
    `UPDATE runs SET lease_until = now() + $3 * interval '1 ms' FROM unnest($1::uuid[], $2::int[]) AS held (id, generation)
     WHERE runs.id = held.id AND runs.generation = held.generation AND ${LIVE} AND lease_until IS NOT NULL RETURNING runs.id`,
    [held.map(({ id }) => id), held.map(({ generation }) => generation), leaseMs],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Reads and locks the run until the end of the transaction. @throws LeaseLostError */
export async function lockRun(client: PoolClient, { id, generation }: Lease): Promise<LeasedRun> {
  const { rows } = await client.query<LeasedRun>(
    `SELECT ${LEASED_COLUMNS} FROM runs WHERE id = $1 AND generation = $2 AND ${LIVE} AND lease_until IS NOT NULL FOR UPDATE`,
    [id, generation],
  );
  const [run] = rows;
  if (!run) throw new LeaseLostError('the run is no longer this worker’s');
  return run;
}

/** Releases a run, to be claimed again later; a run that is being cancelled is due at once. @throws LeaseLostError */
export async function releaseRun({ database }: Store, lease: Lease, delayMs: number): Promise<void> {
  await transaction(database.pool, async (client) => {
    await lockRun(client, lease);
    await client.query(`UPDATE runs SET ${releaseSql('$2')}, updated_at = now() WHERE id = $1`, [lease.id, delayMs]);
  });
}

/** Returns the SQL assignments that release a run for `delayMs`, at most until its deadline; `delayMs` is an SQL expression. */
export function releaseSql(delayMs: string): string {
  return `lease_owner = NULL, lease_until = NULL,
    next_attempt_at = CASE status WHEN 'cancelling' THEN now() ELSE least(now() + ${delayMs} * interval '1 ms', deadline_at) END`;
}
