import { type ClaimedWork, type Lease, type LeaseBacklog, LeaseLostError } from '@parley/kit/leases/lease';
import { type GatewayError } from '@parley/protos/errors';
import type { PoolClient } from 'pg';
import { type StoredJob } from '../domain/job.ts';
import { changeJobs } from './change-jobs.ts';
import { type Database } from './database.ts';
import { JOB_COLUMNS } from './job-row.ts';
import { refundCharacters } from './quota.ts';
import { type Store } from './store.ts';

/** A job that a worker has claimed. */
export interface LeasedJob extends StoredJob, ClaimedWork {
  input: string;
  /** Number of attempts that have failed. */
  attempts: number;
}

/** The audio of a completed job. */
export interface StoredAudio {
  blobKey: string;
  sizeBytes: number;
  /** SHA-256 of the audio in hex. */
  sha256: string;
  mimeType: string;
  /** Duration of the audio in milliseconds. */
  durationMs: number;
}

const DUE = `((status = 'queued' AND next_attempt_at <= now()) OR (status = 'processing' AND lease_until < now()))`;

/** Claims due jobs. Workspaces take turns: the first job of each before the second of any, and none beyond its limit. */
const CLAIM = `
WITH busy AS (
  SELECT workspace_id, count(*) AS jobs FROM speech_jobs WHERE status = 'processing' AND lease_until >= now() GROUP BY workspace_id
), ranked AS (
  SELECT id, next_attempt_at, status = 'processing' AS taken, coalesce(busy.jobs, 0) + row_number() OVER (PARTITION BY workspace_id ORDER BY next_attempt_at, id) AS place
  FROM speech_jobs LEFT JOIN busy USING (workspace_id) WHERE status IN ('queued', 'processing') AND provider = ANY ($5::text[]) AND ${DUE}
), due AS (
  SELECT id, taken FROM ranked WHERE place <= $4 ORDER BY place, next_attempt_at LIMIT $1
)
UPDATE speech_jobs SET status = 'processing', generation = generation + 1, crashes = crashes + (status = 'processing')::int,
  lease_owner = $2, lease_until = now() + $3 * interval '1 ms', progress = 0, updated_at = now()
FROM due WHERE speech_jobs.id = due.id AND ${DUE} AND crashes + (status = 'processing')::int < 2
RETURNING ${JOB_COLUMNS}, input, generation, attempts, due.taken AS "takenOver"`;

const BROKEN = `
UPDATE speech_jobs SET status = 'failed', generation = generation + 1, error_condition = 'INTERNAL_ERROR',
  error_message = 'the work was interrupted twice', lease_owner = NULL, lease_until = NULL, next_attempt_at = NULL, updated_at = now()
WHERE status = 'processing' AND lease_until < now() AND crashes >= 1
RETURNING ${JOB_COLUMNS}`;

/** Serializes claims: two replicas would count the same free slots. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('speech-jobs-claim', 0))`;

/** How many jobs to claim, and for whom. */
export interface ClaimOptions {
  limit: number;
  owner: string;
  leaseMs: number;
  /** Maximum number of concurrent jobs of one workspace, over all replicas. */
  perWorkspace: number;
  /** Names of the providers of this process: during a rolling update a job may need one that only newer replicas have. */
  providers: readonly string[];
}

/** Claims jobs that are due or whose lease has expired once; fails a job whose lease has expired a second time, and refunds it. */
export async function claimJobs(store: Store, { limit, owner, leaseMs, perWorkspace, providers }: ClaimOptions): Promise<LeasedJob[]> {
  let claimed: LeasedJob[] = [];
  await changeJobs(store, async (client) => {
    await client.query(TURN);
    const { rows: broken } = await client.query<StoredJob>(BROKEN);
    for (const job of broken) await refundCharacters(client, job);
    claimed = (await client.query<LeasedJob>(CLAIM, [limit, owner, leaseMs, perWorkspace, providers])).rows;
    return [...broken, ...claimed];
  });
  return claimed;
}

/** Milliseconds until the next job of these providers is due or a lease expires; null without a waiting or leased job. */
export async function nextDueMs({ pool }: Database, providers: readonly string[]): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: 'next-due-job',
    text: `SELECT (extract(epoch FROM min(CASE status WHEN 'queued' THEN next_attempt_at ELSE lease_until END) - now()) * 1000)::float8 AS ms
      FROM speech_jobs WHERE status IN ('queued', 'processing') AND (status = 'processing' OR provider = ANY ($1::text[]))`,
    values: [providers],
  });
  return rows[0]?.ms ?? null;
}

const BACKLOG = `
SELECT count(*)::int AS pieces, greatest(coalesce(extract(epoch FROM now() - min(due_at)), 0), 0)::float8 AS "oldestSeconds"
FROM (SELECT CASE status WHEN 'queued' THEN next_attempt_at ELSE lease_until END AS due_at FROM speech_jobs
      WHERE status IN ('queued', 'processing') AND (status = 'processing' OR provider = ANY ($1::text[])) AND ${DUE}
      ORDER BY next_attempt_at LIMIT 100000) AS due`;

/** Returns the jobs of these providers that are due and not leased. */
export async function countBacklog({ pool }: Database, providers: readonly string[]): Promise<LeaseBacklog> {
  const { rows } = await pool.query<LeaseBacklog>({ name: 'job-backlog', text: BACKLOG, values: [providers] });
  return rows[0] ?? { pieces: 0, oldestSeconds: 0 };
}

/** Renews leases for another `leaseMs` milliseconds and stores the progress of the jobs; returns the ids of those that are still held. */
export async function renewLeases(
  { database }: Store,
  held: readonly (Lease & { progress: number })[],
  leaseMs: number,
): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ id: string }>(
    `UPDATE speech_jobs SET lease_until = now() + $4 * interval '1 ms', progress = held.progress
     FROM unnest($1::uuid[], $2::int[], $3::int[]) AS held (id, generation, progress)
     WHERE speech_jobs.id = held.id AND speech_jobs.generation = held.generation AND status = 'processing'
     RETURNING speech_jobs.id`,
    [held.map(({ id }) => id), held.map(({ generation }) => generation), held.map(({ progress }) => progress), leaseMs],
  );
  return new Set(rows.map(({ id }) => id));
}

const ENDED = 'lease_owner = NULL, lease_until = NULL, next_attempt_at = NULL';

/** Marks a job as completed, with its stored audio. @throws LeaseLostError */
export async function markCompleted(store: Store, lease: Lease, made: StoredAudio, workMs: number): Promise<void> {
  const { blobKey, sizeBytes, sha256, mimeType, durationMs } = made;
  await changeJobs(store, async (client) => [
    await updateLeased(
      client,
      lease,
      `status = 'completed', progress = 100, blob_key = $3, output_size_bytes = $4, sha256 = $5, output_mime_type = $6, duration_ms = $7,
       work_ms = $8, ${ENDED}`,
      [blobKey, sizeBytes, sha256, mimeType, durationMs, workMs],
    ),
  ]);
}

/** Marks a job as failed and refunds its characters. @throws LeaseLostError */
export async function markFailed(store: Store, lease: Lease, { condition, message }: GatewayError, workMs: number): Promise<void> {
  await changeJobs(store, async (client) => {
    const values = [condition, message, workMs];
    const job = await updateLeased(
      client,
      lease,
      `status = 'failed', error_condition = $3, error_message = $4, work_ms = $5, ${ENDED}`,
      values,
    );
    await refundCharacters(client, job);
    return [job];
  });
}

/** Releases a job, to be claimed again later. @throws LeaseLostError */
export async function releaseForRetry(
  { database, notifyChanged }: Store,
  lease: Lease,
  { delayMs, attempts }: { delayMs: number; attempts: number },
): Promise<void> {
  const job = await updateLeased(
    database.pool,
    lease,
    `status = 'queued', attempts = $3, next_attempt_at = now() + $4 * interval '1 ms', progress = 0, lease_owner = NULL, lease_until = NULL`,
    [attempts, delayMs],
  );
  notifyChanged([job]);
}

async function updateLeased(
  client: Pick<PoolClient, 'query'>,
  lease: Lease,
  changes: string,
  values: readonly unknown[],
): Promise<StoredJob> {
  const { rows } = await client.query<StoredJob>(
    `UPDATE speech_jobs SET ${changes}, updated_at = now() WHERE id = $1 AND generation = $2 AND status = 'processing' RETURNING ${JOB_COLUMNS}`,
    [lease.id, lease.generation, ...values],
  );
  const [job] = rows;
  if (!job) throw new LeaseLostError('the job is no longer this worker’s');
  return job;
}
