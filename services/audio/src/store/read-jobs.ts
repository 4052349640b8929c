import { isUuid } from '@parley/kit/ids/uuid';
import { type StoredJob } from '../domain/job.ts';
import { type Database } from './database.ts';
import { JOB_COLUMNS } from './job-row.ts';

/** Finds a job of any workspace; undefined when it does not exist or the id is not a UUID. */
export async function findJob({ pool }: Database, id: string): Promise<StoredJob | undefined> {
  if (!isUuid(id)) return undefined;
  return (await pool.query<StoredJob>(`SELECT ${JOB_COLUMNS} FROM speech_jobs WHERE id = $1`, [id])).rows[0];
}

/** Returns the input text of a job; empty when it was deleted. */
export async function getJobInput({ pool }: Database, id: string): Promise<string> {
  const { rows } = await pool.query<{ input: string }>('SELECT input FROM speech_jobs WHERE id = $1', [id]);
  return rows[0]?.input ?? '';
}

/** Returns a page of a workspace's jobs, newest first, and the total number; an empty status matches all. */
export async function listJobs(
  { pool }: Database,
  where: { workspaceId: string; status: string },
  page: { limit: number; offset: number },
): Promise<{ jobs: StoredJob[]; total: number }> {
  const condition = `workspace_id = $1 AND ($2 = '' OR status = $2)`;
  const values = [where.workspaceId, where.status];
  const [{ rows: jobs }, { rows: counts }] = await Promise.all([
    pool.query<StoredJob>(
      `SELECT ${JOB_COLUMNS} FROM speech_jobs WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
      [...values, page.limit, page.offset],
    ),
    pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM speech_jobs WHERE ${condition}`, values),
  ]);
  return { jobs, total: counts[0]?.total ?? 0 };
}
