import type { Pool } from 'pg';
import { type AbandonedTurn } from '../domain/turn.ts';
import { type AbandonmentLimits, isAbandonedSql, toAbandonmentParameters } from './abandonment-limits.ts';

/** Maximum turns of one search; the caller closes them and searches again until there are none. */
export const ABANDONED_PAGE_SIZE = 500;

const COLUMNS = `
SELECT t.id AS "turnId", t.conversation_id AS "conversationId", t.assistant_message_id AS "assistantMessageId",
  t.workspace_id AS "workspaceId", t.key_id AS "keyId", t.model, t.upstream_account_id AS "upstreamAccountId",
  GREATEST(0, extract(epoch FROM now() - t.started_at) * 1000)::float8 AS "ageMs",
  COALESCE((SELECT p.text FROM turn_partials p WHERE p.turn_id = t.id), '') AS text
FROM turns t`;

const OPEN = 'NOT EXISTS (SELECT FROM turn_ends e WHERE e.turn_id = t.id)';
const OPEN_SINCE = '(SELECT open_since FROM reaper_progress)';

/**
 * Lists open turns of a runner. The time bounds limit the search to the blocks that the runner can have written
 * (plus a minute on either side: a turn may start before the first heartbeat and after the last).
 */
export async function listOpenRunnerTurns(pool: Pool, runnerId: string): Promise<AbandonedTurn[]> {
  const text = `${COLUMNS} JOIN turn_runners r ON r.runner_id = t.runner_id
    WHERE r.runner_id = $1 AND ${OPEN} AND t.started_at <= r.last_seen + interval '1 minute'
      AND t.started_at >= (SELECT GREATEST(first_seen - interval '1 minute', ${OPEN_SINCE}) FROM turn_runners WHERE runner_id = $1)
    LIMIT ${ABANDONED_PAGE_SIZE}`;
  const { rows } = await pool.query<AbandonedTurn>(text, [runnerId]);
  return rows;
}

/** Lists all abandoned turns, including those of unknown runners and those that are too old. */
export async function listAbandonedTurns(pool: Pool, limits: AbandonmentLimits): Promise<AbandonedTurn[]> {
  const text = `${COLUMNS} LEFT JOIN turn_runners r ON r.runner_id = t.runner_id
    WHERE t.started_at >= ${OPEN_SINCE} AND ${OPEN} AND ${isAbandonedSql(1)} LIMIT ${ABANDONED_PAGE_SIZE}`;
  const { rows } = await pool.query<AbandonedTurn>(text, toAbandonmentParameters(limits));
  return rows;
}

/** Finds the turn with this id if it is abandoned. */
export async function findAbandonedTurn(pool: Pool, turnId: string, limits: AbandonmentLimits): Promise<AbandonedTurn | undefined> {
  const text = `${COLUMNS} LEFT JOIN turn_runners r ON r.runner_id = t.runner_id WHERE t.id = $1 AND ${OPEN} AND ${isAbandonedSql(2)}`;
  const { rows } = await pool.query<AbandonedTurn>(text, [turnId, ...toAbandonmentParameters(limits)]);
  return rows[0];
}

/**
 * Saves the time before which every turn has ended; the next search starts there. Leaves a margin of a minute for uncommitted statements,
 * none of which takes that long.
 */
export async function saveReaperProgress(pool: Pool): Promise<void> {
  await pool.query(`
    UPDATE reaper_progress SET open_since = GREATEST(open_since, LEAST(now() - interval '1 minute',
      (SELECT min(t.started_at) FROM turns t WHERE t.started_at >= ${OPEN_SINCE} AND ${OPEN})))`);
}
