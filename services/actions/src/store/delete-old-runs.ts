import { type Database } from './database.ts';

/** Deletes up to `limit` runs that ended longer than `retentionMs` ago, with their run logs and events; returns their number. */
export async function deleteOldRuns({ pool }: Database, retentionMs: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM runs WHERE id IN (
       SELECT id FROM runs WHERE ended_at < now() - $1 * interval '1 ms' ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [retentionMs, limit],
  );
  return rowCount ?? 0;
}
