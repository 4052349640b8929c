import type { Pool } from 'pg';
import { intervalSql } from './liveness.ts';

const RECORD_HEARTBEAT = `
INSERT INTO turn_runners (runner_id, runner_name) VALUES ($1, $2)
ON CONFLICT (runner_id) DO UPDATE SET last_seen = now()`;

/**
 * Earlier incarnations of the same runner that said nothing since this one appeared. Two live runners that share a name by mistake
 * therefore hurt each other once, when the second comes, and never again.
 */
const EARLIER = `
SELECT o.runner_id AS id FROM turn_runners r JOIN turn_runners o ON o.runner_name = r.runner_name
WHERE r.runner_id = $1 AND o.runner_id <> r.runner_id AND o.last_seen < r.first_seen`;

/** Notes that a runner lives, and gives the earlier incarnations that it replaces, by their ids. */
export async function recordHeartbeat(pool: Pool, runnerId: string, runnerName: string): Promise<string[]> {
  await pool.query({ name: 'record-heartbeat', text: RECORD_HEARTBEAT, values: [runnerId, runnerName] });
  const { rows } = await pool.query<{ id: string }>({ name: 'earlier-runners', text: EARLIER, values: [runnerId] });
  return rows.map(({ id }) => id);
}

/** Ids of the runners that have been silent for longer than the timeout, by the database's clock. */
export async function listTimedOutRunners(pool: Pool, runnerTimeoutMs: number): Promise<string[]> {
  const text = `SELECT runner_id AS id FROM turn_runners WHERE last_seen < now() - ${intervalSql(1)} ORDER BY runner_id`;
  const { rows } = await pool.query<{ id: string }>(text, [runnerTimeoutMs]);
  return rows.map(({ id }) => id);
}

/** Removes a runner that is still silent. */
export async function deleteRunner(pool: Pool, runnerId: string, runnerTimeoutMs: number): Promise<void> {
  await pool.query(`DELETE FROM turn_runners WHERE runner_id = $1 AND last_seen < now() - ${intervalSql(2)}`, [runnerId, runnerTimeoutMs]);
}
