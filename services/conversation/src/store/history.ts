import { encodeUuidArray } from '@parley/kit/db/binary-array';
import type { Pool } from 'pg';
import { type StoredPart } from '../domain/message-parts.ts';
import { type Ownership } from '../domain/permission.ts';
import { type ReplayableMessage } from '../domain/replayed-history.ts';

/** A stored message. */
export interface StoredMessage extends ReplayableMessage {
  id: string;
  parts: StoredPart[] | null;
  status: string;
}

/** The messages to read. */
export interface HistoryQuery {
  conversationId: string;
  /** Reads the messages before this turn; null, or a turn of another conversation: all. */
  beforeTurnId: string | null;
}

/** The messages of a conversation, oldest first, and its owner. */
export interface StoredHistory extends Ownership {
  /** Sequence of the excluded turn; undefined without one. */
  excludedSequence: number | undefined;
  /** The messages before that turn, and its system messages. */
  messages: StoredMessage[];
}

interface Row extends Ownership, StoredMessage {
  question: number;
  before: number | null;
}

/** For `OFFSET 0` see `bindings.ts`. A conversation without messages is one row without a message. */
const READ_HISTORIES = `
SELECT g.question::int AS question, c.workspace_id AS "workspaceId", c.owner_key_id AS "ownerKeyId",
  c.owner_user_id AS "ownerUserId", c.deleted_at AS "deletedAt",
  b.sequence AS before, m.id, m.sequence, m.position, m.turn_id IS NOT NULL AS "ofTurn", m.role, m.content, m.parts, m.status
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS g (id, before_turn_id, question)
CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = g.id OFFSET 0) c
LEFT JOIN LATERAL (SELECT sequence FROM turns WHERE id = g.before_turn_id AND conversation_id = g.id OFFSET 0) b ON true
LEFT JOIN LATERAL (SELECT * FROM messages WHERE conversation_id = g.id AND removed_at IS NULL
  AND sequence <= COALESCE(b.sequence, 2147483647) AND (sequence < COALESCE(b.sequence, 2147483647) OR (role = 'system' AND turn_id = g.before_turn_id))
  OFFSET 0) m ON true
ORDER BY g.question, m.sequence, m.position`;

/** Returns one history per query, in order; undefined for an unknown conversation. Ids are UUIDs. */
export async function readHistories(pool: Pool, queries: readonly HistoryQuery[]): Promise<(StoredHistory | undefined)[]> {
  const ids = encodeUuidArray(queries.map(({ conversationId }) => conversationId));
  const turnIds = encodeUuidArray(queries.map(({ beforeTurnId }) => beforeTurnId));
  const { rows } = await pool.query<Row>({ name: 'read-histories', text: READ_HISTORIES, values: [ids, turnIds] });
  const histories: (StoredHistory | undefined)[] = queries.map(() => undefined);
  for (const { question, before: sequence, workspaceId, ownerKeyId, ownerUserId, deletedAt, ...message } of rows) {
    const excludedSequence = sequence ?? undefined;
    const history = (histories[question - 1] ??= {
      workspaceId,
      ownerKeyId,
      ownerUserId,
      deletedAt,
      excludedSequence,
      messages: [],
    });
    if (message.id !== null) history.messages.push(message);
  }
  return histories;
}
