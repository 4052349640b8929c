import type { Pool } from 'pg';
import { intervalSql } from './abandonment-limits.ts';
import { isRefusedTurnSql } from './accepted-turns-sql.ts';

/** A recorded turn, with its answer or partial answer. */
export interface StoredTurn {
  turnId: string;
  conversationId: string;
  workspaceId: string;
  keyId: string;
  /** From 1. */
  sequence: number;
  /** Whether it started its conversation, or repeats the turn that did. */
  opened: boolean;
  /** Whether its conversation was deleted. */
  isDeleted: boolean;
  /** Ids of the assets that the upstream generated in its answer. */
  assetIds: string[];
  assistantMessageId: string;
  model: string;
  requestDigest: Buffer | null;
  startedAt: Date;
  /** Null while the turn has not ended; the fields below belong to its end. */
  status: string | null;
  finishReason: string | null;
  tokensIn: number | null;
  tokensOut: number | null;
  errorCondition: string | null;
  errorMessage: string | null;
  errorParam: string | null;
  errorRetryAfterMs: number | null;
  text: string;
  /** Null without reasoning, and until the turn has ended. */
  reasoning: string | null;
}

const COLUMNS = `
SELECT t.id AS "turnId", t.conversation_id AS "conversationId", t.workspace_id AS "workspaceId", t.key_id AS "keyId", t.sequence,
  (t.sequence = 1 OR (t.message_count = 0 AND NOT EXISTS (SELECT FROM turns b
      WHERE b.conversation_id = t.conversation_id AND b.sequence > 1 AND b.sequence < t.sequence AND b.message_count > 0)))
    AND (SELECT o.started_at FROM turns o WHERE o.conversation_id = t.conversation_id AND o.sequence = 1) = c.created_at AS opened,
  c.deleted_at IS NOT NULL AS "isDeleted",
  ARRAY(SELECT asset_id FROM message_assets a WHERE a.conversation_id = t.conversation_id AND a.message_id = t.assistant_message_id
    ORDER BY a.position)::text[] AS "assetIds",
  t.assistant_message_id AS "assistantMessageId", COALESCE(e.model, t.model) AS model, t.request_digest AS "requestDigest",
  t.started_at AS "startedAt", e.status, e.finish_reason AS "finishReason", e.tokens_in AS "tokensIn", e.tokens_out AS "tokensOut",
  e.error_condition AS "errorCondition", e.error_message AS "errorMessage", e.error_param AS "errorParam",
  e.error_retry_after_ms AS "errorRetryAfterMs",
  COALESCE(m.content, (SELECT text FROM turn_partials WHERE turn_id = t.id), '') AS text, m.reasoning
FROM turns t LEFT JOIN LATERAL (SELECT * FROM turn_ends WHERE turn_id = t.id OFFSET 0) e ON true
LEFT JOIN LATERAL (SELECT created_at, deleted_at FROM conversations WHERE id = t.conversation_id OFFSET 0) c ON true
LEFT JOIN LATERAL (SELECT content, reasoning FROM messages WHERE id = t.assistant_message_id OFFSET 0) m ON true`;

/** Finds the turn with this id; with `endedWithinMs` only when it ended within that time. */
export async function findTurn(pool: Pool, turnId: string, endedWithinMs: number | null = null): Promise<StoredTurn | undefined> {
  const text = `${COLUMNS} WHERE t.id = $1 AND ($2::float8 IS NULL OR e.ended_at > now() - ${intervalSql(2)})`;
  const { rows } = await pool.query<StoredTurn>({ name: 'find-turn', text, values: [turnId, endedWithinMs] });
  return rows[0];
}

/**
 * Finds the last turn of a conversation that a request with this digest started within the time, when every turn has the same digest and
 * no upstream accepted any of them: then no client knows the id of the conversation.
 */
export async function findRefusedFirstTurn(
  pool: Pool,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  digest: Uint8Array,
  withinMs: number,
): Promise<StoredTurn | undefined> {
  const text = `${COLUMNS} WHERE t.id = (
    SELECT l.id FROM turn_ends f
    JOIN LATERAL (SELECT * FROM turns o WHERE o.id = f.turn_id OFFSET 0) o ON o.workspace_id = $2 AND o.key_id = $3
    JOIN LATERAL (SELECT * FROM turns l WHERE l.conversation_id = f.conversation_id ORDER BY l.sequence DESC LIMIT 1) l ON l.request_digest = $1
    WHERE f.refused_digest = $1 AND f.ended_at > now() - ${intervalSql(4)} AND NOT EXISTS (
      SELECT FROM turns s LEFT JOIN LATERAL (SELECT * FROM turn_ends x WHERE x.turn_id = s.id OFFSET 0) x ON true
      WHERE s.conversation_id = f.conversation_id AND (${isRefusedTurnSql('x')} AND (s.sequence = 1 OR s.message_count = 0)) IS NOT TRUE)
    ORDER BY f.ended_at DESC LIMIT 1)`;
  const values = [Buffer.from(digest), workspaceId, keyId, withinMs];
  const { rows } = await pool.query<StoredTurn>({ name: 'find-refused-opening', text, values });
  return rows[0];
}

/** Finds the turn that a key began with this idempotency key. */
export async function findTurnByIdempotencyKey(pool: Pool, keyId: string, idempotencyKey: string): Promise<StoredTurn | undefined> {
  const text = `${COLUMNS} WHERE t.key_id = $1 AND t.idempotency_key = $2`;
  const { rows } = await pool.query<StoredTurn>({ name: 'find-turn-by-idempotency-key', text, values: [keyId, idempotencyKey] });
  return rows[0];
}

/** Removes the idempotency key of a turn that ended without completing. */
export async function releaseIdempotencyKey(
  pool: Pool,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  turnId: string,
): Promise<void> {
  const text = `UPDATE turns t SET idempotency_key = NULL WHERE t.id = $1 AND t.workspace_id = $2 AND t.key_id = $3
    AND EXISTS (SELECT FROM turn_ends e WHERE e.turn_id = t.id AND e.status <> 'completed')`;
  await pool.query({ name: 'release-idempotency-key', text, values: [turnId, workspaceId, keyId] });
}
