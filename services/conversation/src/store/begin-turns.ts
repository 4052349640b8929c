import { encodeBoolArray, encodeByteaArray, encodeIntArray, encodeTextArray, encodeUuidArray } from '@parley/kit/db/binary-array';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import type { Pool, PoolClient } from 'pg';
import { type NewTurn, type TurnMessage } from '../domain/turn.ts';

/**
 * SQL that inserts the events of new conversations into the outbox, in one row; has three parameters from `first` on (`createdColumns`).
 */
function insertCreatedSql(first: number): string {
  return `INSERT INTO outbox (id, subject, payload)
  SELECT (array_agg(e.id))[1], '${EVENT_SUBJECTS.conversationCreated}', string_agg(e.payload, ''::bytea)
  FROM unnest($${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::bytea[]) AS e (turn_id, id, payload)
  WHERE (e.turn_id IN (SELECT id FROM begun)) IS TRUE HAVING count(*) > 0`;
}

/** The last three parameters of a statement that writes turns: the events of their new conversations. */
function createdColumns(turns: readonly NewTurn[]): Buffer[] {
  const opening = turns.flatMap(({ turnId, newConversation }) =>
    newConversation ? [{ turnId, event: newConversation.createdEvent }] : [],
  );
  return [
    encodeUuidArray(opening.map(({ turnId }) => turnId)),
    encodeUuidArray(opening.map(({ event }) => event.id)),
    encodeByteaArray(opening.map(({ event }) => event.payload)),
  ];
}

/**
 * A turn begins when its conversation is new, belongs to the caller or is shared with the caller as an editor (CASE is lazy: participants
 * are read only for a caller who is not the owner), and the previous turn has ended; the unique indexes decide between concurrent turns.
 * Scalar subqueries and `IN … IS TRUE` keep the plan at one index lookup per row, whatever the size of the tables was when the statement
 * was prepared. Rows are inserted by conversation, so that two groups cannot deadlock.
 */
const BEGIN_TURNS = `
WITH given AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::uuid[], $9::int[], $10::text[],
    $11::text[], $12::uuid[], $13::text[], $14::bytea[], $15::bool[], $16::text[], $17::text[], $18::text[], $19::text[])
  AS g (turn_id, conversation_id, sequence, workspace_id, key_id, user_id, request_id, assistant_message_id, message_count, model,
    upstream_account_id, runner_id, idempotency_key, request_digest, opens, title, account_id, project_id, conversation_model)
), begun AS (
  INSERT INTO turns (id, conversation_id, sequence, workspace_id, key_id, user_id, request_id, assistant_message_id, message_count, model,
    upstream_account_id, runner_id, idempotency_key, request_digest)
  SELECT turn_id, conversation_id, sequence, workspace_id, key_id, user_id, request_id, assistant_message_id, message_count, model,
    upstream_account_id, runner_id, idempotency_key, request_digest
  FROM given g
  WHERE CASE WHEN g.opens
    THEN (SELECT c.id FROM conversations c WHERE c.id = g.conversation_id) IS NULL
    ELSE (SELECT c.workspace_id = g.workspace_id AND c.deleted_at IS NULL AND CASE
            WHEN c.owner_key_id = g.key_id THEN true
            WHEN c.owner_key_id IS NULL AND c.owner_user_id = g.user_id THEN true
            ELSE (SELECT p.role = 'editor' FROM participants p WHERE p.conversation_id = g.conversation_id AND p.user_id = g.user_id)
            END
          FROM conversations c WHERE c.id = g.conversation_id)
      AND (g.sequence = 1 OR (SELECT (SELECT true FROM turn_ends e WHERE e.turn_id = t.id AND e.conversation_id = g.conversation_id)
          FROM turns t WHERE t.conversation_id = g.conversation_id AND t.sequence = g.sequence - 1))
    END
  ORDER BY g.conversation_id
  ON CONFLICT DO NOTHING
  RETURNING id
), opened AS (
  INSERT INTO conversations (id, workspace_id, owner_key_id, owner_user_id, title, upstream_account_id, upstream_project_id, destination_type, model)
  SELECT conversation_id, workspace_id, key_id, user_id, title, account_id, project_id,
    CASE WHEN project_id IS NULL THEN 'general' ELSE 'project' END, conversation_model
  FROM given WHERE opens AND (turn_id IN (SELECT id FROM begun)) IS TRUE
), said AS (
  INSERT INTO messages (id, conversation_id, turn_id, sequence, position, role, content, parts)
  SELECT m.id, m.conversation_id, m.turn_id, m.sequence, m.position, m.role, m.content, m.parts::jsonb
  FROM unnest($20::uuid[], $21::uuid[], $22::uuid[], $23::int[], $24::int[], $25::text[], $26::text[], $27::text[])
    AS m (id, conversation_id, turn_id, sequence, position, role, content, parts)
  WHERE (m.turn_id IN (SELECT id FROM begun)) IS TRUE
), published AS (
  ${insertCreatedSql(28)}
)
SELECT id FROM begun`;

/**
 * Writes turns with their messages and new conversations, in one statement. Returns one flag per turn: false for a turn that may not begin
 * or already exists. The id of an existing conversation for a new one fails the statement.
 */
export async function beginTurns(pool: Pool, turns: readonly NewTurn[]): Promise<boolean[]> {
  const begun = await insertTurns(pool, turns, messageColumns(turns));
  return turns.map(({ turnId }) => begun.has(turnId));
}

/** Writes turns, and the messages given as `columns`; returns the ids of the turns that were written. */
export async function insertTurns(client: Pool | PoolClient, turns: readonly NewTurn[], columns: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'begin-turns',
    text: BEGIN_TURNS,
    values: [...turnColumns(turns), ...columns, ...createdColumns(turns)],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Parameters $1 to $19 of a statement that writes turns. */
function turnColumns(turns: readonly NewTurn[]): Buffer[] {
  return [
    encodeUuidArray(turns.map((turn) => turn.turnId)),
    encodeUuidArray(turns.map((turn) => turn.conversationId)),
    encodeIntArray(turns.map((turn) => turn.sequence)),
    encodeUuidArray(turns.map((turn) => turn.workspaceId)),
    encodeUuidArray(turns.map((turn) => turn.keyId)),
    encodeUuidArray(turns.map((turn) => turn.userId)),
    encodeTextArray(turns.map((turn) => turn.requestId)),
    encodeUuidArray(turns.map((turn) => turn.assistantMessageId)),
    encodeIntArray(turns.map((turn) => turn.messages.length)),
    encodeTextArray(turns.map((turn) => turn.model)),
    encodeTextArray(turns.map((turn) => turn.upstreamAccountId)),
    encodeUuidArray(turns.map((turn) => turn.runnerId)),
    encodeTextArray(turns.map((turn) => turn.idempotencyKey)),
    encodeByteaArray(turns.map((turn) => turn.requestDigest)),
    encodeBoolArray(turns.map((turn) => turn.newConversation !== null)),
    encodeTextArray(turns.map((turn) => turn.newConversation?.title ?? null)),
    encodeTextArray(turns.map((turn) => turn.newConversation?.upstreamAccountId ?? null)),
    encodeTextArray(turns.map((turn) => turn.newConversation?.upstreamProjectId ?? null)),
    encodeTextArray(turns.map((turn) => turn.newConversation?.model ?? null)),
  ];
}

/** Parameters $20 to $27: the messages of the turns. */
function messageColumns(turns: readonly NewTurn[]): Buffer[] {
  return toMessageColumns(turns.flatMap((turn) => turn.messages.map((message, position) => ({ turn, message, position }))));
}

/** A message of a turn, and its position among the turn's messages, from 0. */
export interface PlacedMessage {
  turn: NewTurn;
  message: TurnMessage;
  position: number;
}

/** Messages as eight array parameters: id, conversation, turn, sequence, position, role, content, parts. */
export function toMessageColumns(all: readonly PlacedMessage[]): Buffer[] {
  return [
    encodeUuidArray(all.map(({ message }) => message.id)),
    encodeUuidArray(all.map(({ turn }) => turn.conversationId)),
    encodeUuidArray(all.map(({ turn }) => turn.turnId)),
    encodeIntArray(all.map(({ turn }) => turn.sequence)),
    encodeIntArray(all.map(({ position }) => position)),
    encodeTextArray(all.map(({ message }) => message.role)),
    encodeTextArray(all.map(({ message }) => message.content)),
    encodeTextArray(all.map(({ message: { parts } }) => parts && JSON.stringify(parts))),
  ];
}
