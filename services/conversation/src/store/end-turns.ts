import type { Pool } from 'pg';
import type { TurnEnd } from '../domain/turn.ts';
import type { TurnEvent } from '../domain/turn-event.ts';

/** A turn that ends, with the event that tells of it. */
export interface ClosingTurn {
  end: TurnEnd;
  event: TurnEvent;
}

/** SQL of the digest of a turn that no upstream took: the runner names no finish reason then. Kept for the first turns of conversations. */
export const REFUSED_DIGEST = "CASE WHEN status = 'failed' AND finish_reason = '' THEN request_digest END";

/**
 * Only the statement that inserts a turn's end writes what goes with it, so a turn ends once whoever is faster: its runner, another
 * replica or the reaper. The subqueries keep the
 * plan the same as the tables grow; see `database.ts` for the rest.
 */
const END_TURNS = `
WITH given AS MATERIALIZED (
  SELECT g.*, t.sequence, t.message_count, t.assistant_message_id, t.started_at, t.request_digest
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[], $10::int[], $11::text[],
    $12::text[], $13::text[], $14::int[], $15::text[], $16::text[], $17::text[], $18::uuid[], $19::text[], $20::bytea[])
  AS g (turn_id, conversation_id, workspace_id, key_id, status, text, finish_reason, tokens_in, tokens_out, duration_ms, error_condition,
    error_message, error_param, error_retry_after_ms, connection_id, model, upstream_state, event_id, event_subject, event_payload),
  LATERAL (SELECT * FROM turns t WHERE t.id = g.turn_id OFFSET 0) t
  WHERE t.conversation_id = g.conversation_id AND t.workspace_id = g.workspace_id AND t.key_id = g.key_id
), closed AS (
  INSERT INTO turn_ends (turn_id, conversation_id, status, finish_reason, tokens_in, tokens_out, duration_ms, error_condition, error_message,
    error_param, error_retry_after_ms, connection_id, model, refused_digest)
  SELECT turn_id, conversation_id, status, finish_reason, tokens_in, tokens_out, duration_ms, error_condition, error_message,
    error_param, error_retry_after_ms, connection_id, model, CASE WHEN sequence = 1 THEN ${REFUSED_DIGEST} END
  FROM given ORDER BY conversation_id
  ON CONFLICT DO NOTHING
  RETURNING turn_id
), ended AS MATERIALIZED (
  SELECT * FROM given WHERE (turn_id IN (SELECT turn_id FROM closed)) IS TRUE ORDER BY conversation_id
), said AS (
  INSERT INTO messages (id, conversation_id, turn_id, sequence, position, role, content, status, model, created_at)
  SELECT assistant_message_id, conversation_id, turn_id, sequence, message_count, 'assistant', text, status, model, started_at FROM ended
), touched AS (
  UPDATE conversations c
  SET last_message_at = now(), updated_at = now(), message_count = c.message_count + e.message_count + 1,
    upstream_state = CASE WHEN e.upstream_state = '' THEN c.upstream_state ELSE e.upstream_state END
  FROM ended e WHERE c.id = e.conversation_id
), forgotten AS (
  DELETE FROM turn_partials p WHERE p.turn_id = ANY (ARRAY(SELECT turn_id FROM closed))
), told AS (
  INSERT INTO outbox (id, subject, payload) SELECT event_id, event_subject, event_payload FROM ended
)
SELECT turn_id FROM closed`;

/**
 * Ends turns: outcome, assistant message, last activity and event, in one statement. One flag per turn: false for a turn that had
 * ended before, or that the given conversation, workspace and key do not have.
 */
export async function endTurns(pool: Pool, turns: readonly ClosingTurn[]): Promise<boolean[]> {
  const { rows } = await pool.query<{ turn_id: string }>({ name: 'end-turns', text: END_TURNS, values: endColumns(turns) });
  const closed = new Set(rows.map((row) => row.turn_id));
  return turns.map(({ end }) => closed.has(end.turnId));
}

/** Twenty parameters of a statement that ends turns. */
export function endColumns(turns: readonly ClosingTurn[]): unknown[][] {
  return [
    turns.map(({ end }) => end.turnId),
    turns.map(({ end }) => end.conversationId),
    turns.map(({ end }) => end.workspaceId),
    turns.map(({ end }) => end.keyId),
    turns.map(({ end }) => end.status),
    turns.map(({ end }) => end.text),
    turns.map(({ end }) => end.finishReason),
    turns.map(({ end }) => end.tokensIn),
    turns.map(({ end }) => end.tokensOut),
    turns.map(({ end }) => end.durationMs),
    turns.map(({ end }) => end.error?.condition ?? null),
    turns.map(({ end }) => end.error?.message ?? null),
    turns.map(({ end }) => end.error?.param ?? null),
    turns.map(({ end }) => end.error?.retryAfterMs ?? null),
    turns.map(({ end }) => end.connectionId),
    turns.map(({ end }) => end.model),
    turns.map(({ end }) => end.upstreamState),
    turns.map(({ event }) => event.id),
    turns.map(({ event }) => event.subject),
    turns.map(({ event }) => event.payload),
  ];
}
