import type { Pool } from 'pg';
import { intervalSql } from './liveness.ts';

const RECORD_HEARTBEAT = `
INSERT INTO turn_runners (runner_id, runner_name) VALUES ($1, $2)
ON CONFLICT (runner_id) DO UPDATE SET last_seen = now()`;

/**
 * Earlier incarnations of the same runner without a heartbeat since this one appeared. Two live runners with the same name by mistake
 * therefore affect each other only once, when the second starts.
 */
const EARLIER = `
SELECT o.runner_id AS id FROM turn_runners r JOIN turn_runners o ON o.runner_name = r.runner_name
WHERE r.runner_id = $1 AND o.runner_id <> r.runner_id AND o.last_seen < r.first_seen`;

/** Records a heartbeat; returns the ids of the earlier incarnations that the runner replaces. */
export async function recordHeartbeat(pool: Pool, runnerId: string, runnerName: string): Promise<string[]> {
  await pool.query({ name: 'record-heartbeat', text: RECORD_HEARTBEAT, values: [runnerId, runnerName] });
  const { rows } = await pool.query<{ id: string }>({ name: 'earlier-runners', text: EARLIER, values: [runnerId] });
  return rows.map(({ id }) => id);
}

/** Ids of the runners without a heartbeat for longer than the timeout, by the database's clock. */
export async function listTimedOutRunners(pool: Pool, runnerTimeoutMs: number): Promise<string[]> {
  const text = `SELECT runner_id AS id FROM turn_runners WHERE last_seen < now() - ${intervalSql(1)} ORDER BY runner_id`;
  const { rows } = await pool.query<{ id: string }>(text, [runnerTimeoutMs]);
  return rows.map(({ id }) => id);
}

/** Deletes a runner that still has no new heartbeat. */
export async function deleteRunner(pool: Pool, runnerId: string, runnerTimeoutMs: number): Promise<void> {
  await pool.query(`DELETE FROM turn_runners WHERE runner_id = $1 AND last_seen < now() - ${intervalSql(2)}`, [runnerId, runnerTimeoutMs]);
}
