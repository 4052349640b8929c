import type { Pool } from 'pg';

/** A turn as it is recorded, with its answer as far as there is one. */
export interface StoredTurn {
  turnId: string;
  conversationId: string;
  workspaceId: string;
  keyId: string;
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
}

const COLUMNS = `
SELECT t.id AS "turnId", t.conversation_id AS "conversationId", t.workspace_id AS "workspaceId", t.key_id AS "keyId",
  t.assistant_message_id AS "assistantMessageId", COALESCE(e.model, t.model) AS model, t.request_digest AS "requestDigest",
  t.started_at AS "startedAt", e.status, e.finish_reason AS "finishReason", e.tokens_in AS "tokensIn", e.tokens_out AS "tokensOut",
  e.error_condition AS "errorCondition", e.error_message AS "errorMessage", e.error_param AS "errorParam",
  e.error_retry_after_ms AS "errorRetryAfterMs",
  COALESCE((SELECT content FROM messages WHERE id = t.assistant_message_id), (SELECT text FROM turn_partials WHERE turn_id = t.id), '') AS text
FROM turns t LEFT JOIN LATERAL (SELECT * FROM turn_ends WHERE turn_id = t.id OFFSET 0) e ON true`;

/** The turn with this id. */
export async function findTurn(pool: Pool, turnId: string): Promise<StoredTurn | undefined> {
  const { rows } = await pool.query<StoredTurn>({ name: 'find-turn', text: `${COLUMNS} WHERE t.id = $1`, values: [turnId] });
  return rows[0];
}

/** The turn that a key began with this idempotency key. */
export async function findTurnByIdempotencyKey(pool: Pool, keyId: string, idempotencyKey: string): Promise<StoredTurn | undefined> {
  const text = `${COLUMNS} WHERE t.key_id = $1 AND t.idempotency_key = $2`;
  const { rows } = await pool.query<StoredTurn>({ name: 'find-turn-by-idempotency-key', text, values: [keyId, idempotencyKey] });
  return rows[0];
}
