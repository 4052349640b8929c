import type { Pool } from 'pg';
import { type NewTurn } from '../domain/turn.ts';
import { messageColumns, turnColumns } from './begin-turns.ts';
import { type ClosingTurn, endColumns, refusedDigestSql, insertEventsSql } from './end-turns.ts';

/** A turn that ended before its start was committed. */
export interface SingleCommitTurn {
  turn: NewTurn;
  closing: ClosingTurn;
}

/** Writes the same rows as `begin-turns.ts` and `end-turns.ts` for a turn that starts a conversation: one insert per table and no update. */
const WRITE_SINGLE_COMMIT_TURNS = `
WITH given AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::uuid[], $9::int[], $10::text[],
    $11::text[], $12::uuid[], $13::text[], $14::bytea[], $15::bool[], $16::text[], $17::text[], $18::text[], $19::text[],
    $28::text[], $29::text[], $30::text[], $31::int[], $32::int[], $33::int[], $34::text[], $35::text[], $36::text[], $37::int[], $38::text[],
    $39::text[], $40::text[], $41::uuid[], $42::text[], $43::bytea[], $44::text[], $45::text[])
  AS g (turn_id, conversation_id, sequence, workspace_id, key_id, user_id, request_id, assistant_message_id, message_count, model,
    upstream_account_id, runner_id, idempotency_key, request_digest, opens, title, account_id, project_id, conversation_model,
    status, text, finish_reason, tokens_in, tokens_out, duration_ms,
    error_condition, error_message, error_param, error_retry_after_ms, connection_id, end_model, upstream_state, event_id, event_subject, event_payload,
    attempts, reasoning)
), begun AS (
  INSERT INTO turns (id, conversation_id, sequence, workspace_id, key_id, user_id, request_id, assistant_message_id, message_count, model,
    upstream_account_id, runner_id, request_digest)
  SELECT turn_id, conversation_id, sequence, workspace_id, key_id, user_id, request_id, assistant_message_id, message_count, model,
    upstream_account_id, runner_id, request_digest
  FROM given g WHERE (SELECT c.id FROM conversations c WHERE c.id = g.conversation_id) IS NULL
  ON CONFLICT DO NOTHING
  RETURNING id
), taken AS MATERIALIZED (
  SELECT * FROM given WHERE (turn_id IN (SELECT id FROM begun)) IS TRUE
), opened AS (
  INSERT INTO conversations (id, workspace_id, owner_key_id, owner_user_id, title, upstream_account_id, upstream_project_id, destination_type,
    model, message_count, upstream_state)
  SELECT conversation_id, workspace_id, key_id, user_id, title, account_id, project_id,
    CASE WHEN project_id IS NULL THEN 'general' ELSE 'project' END, conversation_model, message_count + 1, upstream_state
  FROM taken
), said AS (
  INSERT INTO messages (id, conversation_id, turn_id, sequence, position, role, content, parts, status, model, reasoning)
  SELECT m.id, m.conversation_id, m.turn_id, m.sequence, m.position, m.role, m.content, m.parts::jsonb, 'completed', NULL, NULL
  FROM unnest($20::uuid[], $21::uuid[], $22::uuid[], $23::int[], $24::int[], $25::text[], $26::text[], $27::text[])
    AS m (id, conversation_id, turn_id, sequence, position, role, content, parts)
  WHERE (m.turn_id IN (SELECT id FROM begun)) IS TRUE
  UNION ALL
  SELECT assistant_message_id, conversation_id, turn_id, sequence, message_count, 'assistant', text, NULL, status, end_model, reasoning FROM taken
), closed AS (
  INSERT INTO turn_ends (turn_id, conversation_id, status, finish_reason, tokens_in, tokens_out, duration_ms, error_condition, error_message,
    error_param, error_retry_after_ms, connection_id, model, attempts, refused_digest)
  SELECT turn_id, conversation_id, status, finish_reason, tokens_in, tokens_out, duration_ms, error_condition, error_message,
    error_param, error_retry_after_ms, connection_id, end_model, attempts::jsonb, ${refusedDigestSql('taken')}
  FROM taken
), published AS (
  ${insertEventsSql('taken')}
)
SELECT id FROM begun`;

/**
 * Writes single-commit turns, in one statement. Returns one flag per turn: false for a turn whose id or conversation already exists;
 * nothing of it is written then.
 */
export async function writeSingleCommitTurns(pool: Pool, whole: readonly SingleCommitTurn[]): Promise<boolean[]> {
  const turns = whole.map(({ turn }) => turn);
  const { rows } = await pool.query<{ id: string }>({
    name: 'write-single-commit-turns',
    text: WRITE_SINGLE_COMMIT_TURNS,
    values: [...turnColumns(turns), ...messageColumns(turns), ...endColumns(whole.map(({ closing }) => closing))],
  });
  const written = new Set(rows.map(({ id }) => id));
  return turns.map(({ turnId }) => written.has(turnId));
}
