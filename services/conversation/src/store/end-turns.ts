import { encodeBigintArray, encodeByteaArray, encodeIntArray, encodeTextArray, encodeUuidArray } from '@parley/kit/db/binary-array';
import type { Pool, PoolClient } from 'pg';
import { type ClosingTurn } from '../domain/turn-ended-event.ts';
import { isRefusedTurnSql } from './accepted-turns-sql.ts';

/** SQL: the request digest of a turn of `turns` that no upstream accepted. Stored for first turns of conversations. */
function refusedDigestSql(turns: string): string {
  return `CASE WHEN ${isRefusedTurnSql(turns)} THEN request_digest END`;
}

/**
 * SQL that inserts the events of `turns` into the outbox, one row per subject: concatenated batches form one valid batch. The outbox
 * therefore has far fewer rows than turns end.
 */
function insertEventsSql(turns: string): string {
  return `INSERT INTO outbox (id, subject, payload)
  SELECT (array_agg(event_id))[1], event_subject, string_agg(event_payload, ''::bytea) FROM ${turns} GROUP BY event_subject`;
}

/** SQL: how many messages an ended turn `e` adds. A repeated turn adds none: its answer replaces the previous one. */
const COUNTED = 'e.message_count + CASE WHEN e.message_count = 0 AND e.sequence > 1 THEN 0 ELSE 1 END';

/**
 * SQL: true when the ended turn `e` leaves its conversation `c` without a turn that an upstream accepted. A conversation that a turn opened
 * has the start time of that turn as its creation time.
 */
const LEAVES_REFUSED = `${isRefusedTurnSql('e')} AND (c.refused OR e.sequence = 1 AND e.started_at = c.created_at)`;

/**
 * Only the statement that inserts the end of a turn writes the rest, so a turn ends once: by its runner, another replica or the reaper. The
 * end copies `kept` from its turn, so it is in the corresponding partition (ADR 0065), whose unique index decides. The subqueries keep the
 * plan as the tables grow (see `database.ts`). The upstream state of another connection is dropped when the conversation has been rebound.
 * The given end time is an estimate that may be some milliseconds too early; the stored one is never before the start of the turn.
 */
const END_TURNS = `
WITH given AS MATERIALIZED (
  SELECT g.*, t.sequence, t.message_count, t.assistant_message_id, t.started_at, t.request_digest, t.upstream_account_id, t.kept
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[], $10::int[], $11::text[],
    $12::text[], $13::text[], $14::int[], $15::text[], $16::text[], $17::text[], $18::uuid[], $19::text[], $20::bytea[], $21::text[], $22::text[],
    $23::int[], $24::int[], $25::int[], $26::int[], $27::int[], $28::int[], $29::text[], $30::int8[])
  AS g (turn_id, conversation_id, workspace_id, key_id, status, text, finish_reason, tokens_in, tokens_out, duration_ms, error_condition,
    error_message, error_param, error_retry_after_ms, connection_id, model, upstream_state, event_id, event_subject, event_payload,
    attempts, reasoning, routed_ms, committed_ms, asked_ms, accepted_ms, first_token_ms, answered_ms, route_reason, ended_ms),
  LATERAL (SELECT * FROM turns t WHERE t.id = g.turn_id OFFSET 0) t
  WHERE t.conversation_id = g.conversation_id AND t.workspace_id = g.workspace_id AND t.key_id = g.key_id
), closed AS (
  INSERT INTO turn_ends (turn_id, conversation_id, status, finish_reason, tokens_in, tokens_out, duration_ms, error_condition, error_message,
    error_param, error_retry_after_ms, connection_id, model, attempts, routed_ms, committed_ms, asked_ms, accepted_ms, first_token_ms, answered_ms,
    route_reason, ended_at, kept, refused_digest)
  SELECT turn_id, conversation_id, status, finish_reason, tokens_in, tokens_out, duration_ms, error_condition, error_message,
    error_param, error_retry_after_ms, connection_id, model, attempts::jsonb, routed_ms, committed_ms, asked_ms, accepted_ms, first_token_ms,
    answered_ms, route_reason, greatest(to_timestamp(ended_ms / 1000::float8), started_at), kept,
    CASE WHEN sequence = 1 AND started_at = (SELECT c.created_at FROM conversations c WHERE c.id = conversation_id)
      THEN ${refusedDigestSql('given')} END
  FROM given ORDER BY conversation_id
  ON CONFLICT DO NOTHING
  RETURNING turn_id
), ended AS MATERIALIZED (
  SELECT * FROM given WHERE (turn_id IN (SELECT turn_id FROM closed)) IS TRUE ORDER BY conversation_id
), said AS (
  INSERT INTO messages (id, conversation_id, turn_id, sequence, position, role, content, status, model, reasoning, created_at, kept)
  SELECT assistant_message_id, conversation_id, turn_id, sequence, message_count, 'assistant', text, status, model, reasoning, started_at, kept FROM ended
), touched AS (
  UPDATE conversations c
  SET last_message_at = now(), updated_at = now(), message_count = c.message_count + ${COUNTED}, refused = ${LEAVES_REFUSED},
    upstream_state = CASE WHEN e.upstream_state = '' OR e.upstream_account_id <> c.upstream_account_id THEN c.upstream_state ELSE e.upstream_state END
  FROM ended e WHERE c.id = e.conversation_id
), forgotten AS (
  DELETE FROM turn_partials p WHERE p.turn_id = ANY (ARRAY(SELECT turn_id FROM closed))
), published AS (
  ${insertEventsSql('ended')}
)
SELECT turn_id FROM closed`;

/**
 * Ends turns: outcome, assistant message, last activity and event, in one statement. Returns one flag per turn: false for a turn that has
 * already ended, or that does not belong to the given conversation, workspace and key.
 */
export async function endTurns(sql: Pool | PoolClient, turns: readonly ClosingTurn[]): Promise<boolean[]> {
  const { rows } = await sql.query<{ turn_id: string }>({
    name: 'end-turns',
    text: END_TURNS,
    values: [...keyColumns(turns), ...endColumns(turns), ...timeColumns(turns)],
  });
  const closed = new Set(rows.map((row) => row.turn_id));
  return turns.map(({ end }) => closed.has(end.turnId));
}

/** Parameters $1 to $4: the turns and their owners. */
function keyColumns(turns: readonly ClosingTurn[]): Buffer[] {
  return [
    encodeUuidArray(turns.map(({ end }) => end.turnId)),
    encodeUuidArray(turns.map(({ end }) => end.conversationId)),
    encodeUuidArray(turns.map(({ end }) => end.workspaceId)),
    encodeUuidArray(turns.map(({ end }) => end.keyId)),
  ];
}

/** Eighteen parameters of a statement that ends turns: their outcomes and events. */
function endColumns(turns: readonly ClosingTurn[]): Buffer[] {
  return [
    encodeTextArray(turns.map(({ end }) => end.status)),
    encodeTextArray(turns.map(({ end }) => end.text)),
    encodeTextArray(turns.map(({ end }) => end.finishReason)),
    encodeIntArray(turns.map(({ end }) => end.tokensIn)),
    encodeIntArray(turns.map(({ end }) => end.tokensOut)),
    encodeIntArray(turns.map(({ end }) => end.durationMs)),
    encodeTextArray(turns.map(({ end }) => end.error?.condition ?? null)),
    encodeTextArray(turns.map(({ end }) => end.error?.message ?? null)),
    encodeTextArray(turns.map(({ end }) => end.error?.param ?? null)),
    encodeIntArray(turns.map(({ end }) => end.error?.retryAfterMs ?? null)),
    encodeTextArray(turns.map(({ end }) => end.connectionId)),
    encodeTextArray(turns.map(({ end }) => end.model)),
    encodeTextArray(turns.map(({ end }) => end.upstreamState)),
    encodeUuidArray(turns.map(({ event }) => event.id)),
    encodeTextArray(turns.map(({ event }) => event.subject)),
    encodeByteaArray(turns.map(({ event }) => event.payload)),
    encodeTextArray(turns.map(({ end }) => end.attempts)),
    encodeTextArray(turns.map(({ end }) => end.reasoning)),
  ];
}

/** The last eight parameters: the milestones, route reasons and end times of the turns. */
function timeColumns(turns: readonly ClosingTurn[]): Buffer[] {
  return [
    encodeIntArray(turns.map(({ end: { times } }) => times.routedMs)),
    encodeIntArray(turns.map(({ end: { times } }) => times.committedMs)),
    encodeIntArray(turns.map(({ end: { times } }) => times.askedMs)),
    encodeIntArray(turns.map(({ end: { times } }) => times.acceptedMs)),
    encodeIntArray(turns.map(({ end: { times } }) => times.firstTokenMs)),
    encodeIntArray(turns.map(({ end: { times } }) => times.answeredMs)),
    encodeTextArray(turns.map(({ end }) => end.routeReason)),
    encodeBigintArray(turns.map(({ endedAt }) => endedAt.getTime())),
  ];
}
