import { type BlobKeyParts } from '@parley/kit/blob/blob-key-scheme';
import { toBlobKey } from '../domain/blob-key.ts';
import { type Database } from './database.ts';

/** Detaches the audio of up to `limit` expired jobs; returns its keys, which the caller must delete. The jobs themselves stay. */
export async function expireAudio({ pool }: Database, limit: number): Promise<string[]> {
  const bite = `SELECT id, blob_key FROM speech_jobs WHERE blob_key IS NOT NULL AND expires_at <= now() ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const { rows } = await pool.query<{ key: string }>(
    `WITH old AS (${bite}) UPDATE speech_jobs SET blob_key = NULL FROM old WHERE speech_jobs.id = old.id RETURNING old.blob_key AS key`,
  );
  return rows.map(({ key }) => key);
}

/** Deletes the texts of ended jobs after seven days, ended jobs without audio after 30 days, and old days of quotas. */
export async function deleteExpiredJobData({ pool }: Database): Promise<void> {
  await pool.query(
    `UPDATE speech_jobs SET input = '' WHERE status IN ('completed', 'failed', 'cancelled') AND created_at < now() - interval '7 days' AND input <> ''`,
  );
  await pool.query(
    `DELETE FROM speech_jobs WHERE status IN ('completed', 'failed', 'cancelled') AND created_at < now() - interval '30 days' AND blob_key IS NULL`,
  );
  await pool.query(`DELETE FROM speech_quota WHERE day < (now() AT TIME ZONE 'UTC')::date - 7`);
}

/** Returns the keys of those blobs that a job refers to or that its worker is writing, and the database's time. */
export async function findReferencedBlobs({ pool }: Database, blobs: readonly BlobKeyParts[]): Promise<{ known: Set<string>; now: Date }> {
  const { rows } = await pool.query<{ id: string; key: string | null; generation: number }>(
    `SELECT id, blob_key AS key, generation FROM speech_jobs WHERE id = ANY ($1::uuid[]) AND (blob_key IS NOT NULL OR status = 'processing')`,
    [blobs.map(({ id }) => id)],
  );
  const clock = await pool.query<{ now: Date }>('SELECT now()');
  return {
    known: new Set(rows.map(({ id, key, generation }) => key ?? toBlobKey(id, generation))),
    now: clock.rows[0]?.now ?? new Date(0),
  };
}
