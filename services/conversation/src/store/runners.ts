import type { Pool } from 'pg';
import { intervalSql } from './abandonment-limits.ts';

/**
 * Returns the earlier incarnations of the same runner without a heartbeat since this one appeared. Two live runners with the same name by
 * mistake therefore affect each other only once, when the second starts.
 */
const RECORD_HEARTBEAT = `
WITH beat AS (
  INSERT INTO turn_runners (runner_id, runner_name) VALUES ($1, $2)
  ON CONFLICT (runner_id) DO UPDATE SET last_seen = now()
  RETURNING runner_id, runner_name, first_seen
)
SELECT o.runner_id AS id FROM beat JOIN turn_runners o USING (runner_name)
WHERE o.runner_id <> beat.runner_id AND o.last_seen < beat.first_seen`;

/** Records a heartbeat; returns the ids of the earlier incarnations that the runner replaces. */
export async function recordHeartbeat(pool: Pool, runnerId: string, runnerName: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ name: 'record-heartbeat', text: RECORD_HEARTBEAT, values: [runnerId, runnerName] });
  return rows.map(({ id }) => id);
}

/** Lists the ids of runners without a heartbeat for longer than the timeout, by the database's clock. */
export async function listTimedOutRunners(pool: Pool, runnerTimeoutMs: number): Promise<string[]> {
  const text = `SELECT runner_id AS id FROM turn_runners WHERE last_seen < now() - ${intervalSql(1)} ORDER BY runner_id`;
  const { rows } = await pool.query<{ id: string }>(text, [runnerTimeoutMs]);
  return rows.map(({ id }) => id);
}

/** Deletes a runner that still has no new heartbeat. */
export async function deleteRunner(pool: Pool, runnerId: string, runnerTimeoutMs: number): Promise<void> {
  await pool.query(`DELETE FROM turn_runners WHERE runner_id = $1 AND last_seen < now() - ${intervalSql(2)}`, [runnerId, runnerTimeoutMs]);
}
