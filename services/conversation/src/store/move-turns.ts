import { encodeTextArray, encodeUuidArray } from '@parley/kit/db/binary-array';
import { transaction } from '@parley/kit/db/pool';
import type { Pool } from 'pg';
import { type ChangedConversation, toConversationEvent } from '../domain/conversation-event.ts';
import { type TurnMove } from '../domain/turn.ts';
import { isAcceptedBeforeSql } from './accepted-turns-sql.ts';
import { insertEvents } from './outbox.ts';

/** Locks in the same order as turns; the next statement then sees every turn that has ended before. */
const LOCK = 'SELECT FROM conversations WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

/** Moves the caller's open turn of a conversation that has not started. Such a conversation has no upstream state to drop. */
const MOVE = `
WITH given AS MATERIALIZED (
  SELECT g.*, c.continuity_status AS before
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[])
    AS g (turn_id, conversation_id, workspace_id, key_id, upstream_account_id, model),
  LATERAL (SELECT * FROM turns WHERE id = g.turn_id AND conversation_id = g.conversation_id OFFSET 0) t,
  LATERAL (SELECT * FROM conversations WHERE id = g.conversation_id OFFSET 0) c
  WHERE t.workspace_id = g.workspace_id AND t.key_id = g.key_id
    AND (SELECT e.turn_id FROM turn_ends e WHERE e.turn_id = t.id AND e.conversation_id = t.conversation_id) IS NULL
    AND NOT c.account_named AND c.upstream_state = '' AND NOT ${isAcceptedBeforeSql('t.conversation_id', 't.sequence')}
), moved AS (
  UPDATE turns t SET upstream_account_id = g.upstream_account_id, model = g.model FROM given g WHERE t.id = g.turn_id
), bound AS (
  UPDATE conversations c SET upstream_account_id = g.upstream_account_id, model = g.model, continuity_status = 'available', updated_at = now()
  FROM given g WHERE c.id = g.conversation_id
  RETURNING c.*
)
SELECT g.turn_id AS "turnId", g.key_id AS "keyId", g.before, b.id, b.workspace_id AS "workspaceId", b.owner_user_id AS "ownerUserId", b.status,
  b.continuity_status AS "continuityStatus", now() AS at
FROM given g JOIN bound b ON b.id = g.conversation_id`;

interface MovedRow extends ChangedConversation {
  turnId: string;
  keyId: string;
  before: string;
  at: Date;
}

const isChanged = ({ before, continuityStatus }: MovedRow) => before !== continuityStatus;

/**
 * Moves turns and their conversations to other connections. Returns one flag per move: false for a turn that has ended or does not belong
 * to the given conversation, workspace and key, and when the conversation has started or its creator named the connection. Calls
 * `onEvents` after a commit that inserted events into the outbox.
 */
export async function moveTurns(pool: Pool, moves: readonly TurnMove[], onEvents: () => void): Promise<boolean[]> {
  const rows = await transaction(pool, async (client) => {
    const conversationIds = encodeUuidArray(moves.map(({ conversationId }) => conversationId));
    await client.query({ name: 'lock-conversations', text: LOCK, values: [conversationIds] });
    const { rows: moved } = await client.query<MovedRow>({ name: 'move-turns', text: MOVE, values: moveColumns(moves, conversationIds) });
    const changed = moved.filter(isChanged);
    await insertEvents(
      client,
      changed.map((row) => toConversationEvent('continuityChanged', row, row.at, { keyId: row.keyId })),
    );
    return moved;
  });
  if (rows.some(isChanged)) onEvents();
  const moved = new Set(rows.map(({ turnId }) => turnId));
  return moves.map(({ turnId }) => moved.has(turnId));
}

function moveColumns(moves: readonly TurnMove[], conversationIds: Buffer): Buffer[] {
  return [
    encodeUuidArray(moves.map(({ turnId }) => turnId)),
    conversationIds,
    encodeUuidArray(moves.map(({ workspaceId }) => workspaceId)),
    encodeUuidArray(moves.map(({ keyId }) => keyId)),
    encodeTextArray(moves.map(({ upstreamAccountId }) => upstreamAccountId)),
    encodeTextArray(moves.map(({ model }) => model)),
  ];
}
