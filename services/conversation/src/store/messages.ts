import { isUuid } from '@parley/kit/ids/uuid';
import type { Pool } from 'pg';
import { type MessagePosition } from '../domain/replaced-answers.ts';

/** A listed message, with the end of the turn whose answer it is. */
export interface ListedMessage extends MessagePosition {
  id: string;
  conversationId: string;
  /** completed | failed | interrupted | streaming | processing_assets */
  status: string;
  content: string;
  /** Null without reasoning. */
  reasoning: string | null;
  model: string | null;
  createdAt: Date;
  /** Set for the answer of a turn. */
  turnId: string | null;
  /** Null until the turn has ended, and for other messages than answers. */
  endedAt: Date | null;
  tokensIn: number | null;
  tokensOut: number | null;
  errorCondition: string | null;
  errorMessage: string | null;
  errorParam: string | null;
  errorRetryAfterMs: number | null;
  /** Attached assets, then generated ones; null without either. */
  assetIds: string[] | null;
}

/**
 * SQL: messages `m` with their ends and assets; the condition `made` selects the assets, in one lookup for all messages. Parts are read of
 * messages with more than text.
 */
const messageSql = (made: string) => `
SELECT m.id, m.conversation_id AS "conversationId", m.sequence, m.position, m.role,
  m.turn_id IS NOT NULL AS "ofTurn", CASE WHEN m.status = 'completed' AND NOT a.done THEN 'processing_assets' ELSE m.status END AS status,
  m.content, m.reasoning, m.model, m.created_at AS "createdAt",
  t.id AS "turnId", e.ended_at AS "endedAt", e.tokens_in AS "tokensIn", e.tokens_out AS "tokensOut",
  e.error_condition AS "errorCondition", e.error_message AS "errorMessage", e.error_param AS "errorParam",
  e.error_retry_after_ms AS "errorRetryAfterMs", COALESCE(a.ids, jsonb_path_query_array(m.parts, '$[*].file.asset_id')) AS "assetIds"
FROM messages m LEFT JOIN turns t ON t.id = m.turn_id AND t.assistant_message_id = m.id LEFT JOIN turn_ends e ON e.turn_id = t.id
LEFT JOIN (SELECT message_id, jsonb_agg(asset_id ORDER BY position, asset_id) AS ids, bool_and(done) AS done
  FROM message_assets WHERE ${made} GROUP BY message_id) a ON a.message_id = m.id`;

/** SQL: the answer of a running turn `t`, at its future position, with the partial text. */
const RUNNING = `
SELECT t.assistant_message_id AS id, t.conversation_id AS "conversationId", t.sequence, t.message_count AS position, 'assistant' AS role,
  true AS "ofTurn", 'streaming' AS status, COALESCE(p.text, '') AS content, NULL::text AS reasoning, t.model, t.started_at AS "createdAt", t.id AS "turnId",
  NULL::timestamptz AS "endedAt", NULL::int AS "tokensIn", NULL::int AS "tokensOut", NULL::text AS "errorCondition",
  NULL::text AS "errorMessage", NULL::text AS "errorParam", NULL::int AS "errorRetryAfterMs", NULL::jsonb AS "assetIds"`;
const NOT_ENDED = 'NOT EXISTS (SELECT FROM turn_ends e WHERE e.turn_id = t.id)';

const LIST = `${messageSql('conversation_id = $1')} WHERE m.conversation_id = $1 AND m.removed_at IS NULL
UNION ALL ${RUNNING} FROM (SELECT * FROM turns WHERE conversation_id = $1 ORDER BY sequence DESC LIMIT 1) t
LEFT JOIN turn_partials p ON p.turn_id = t.id WHERE ${NOT_ENDED}
ORDER BY sequence, position`;

const FIND = `${messageSql('conversation_id = (SELECT conversation_id FROM messages WHERE id = $1) AND message_id = $1')}
WHERE m.id = $1 AND m.removed_at IS NULL`;

/** Reads the messages of a conversation, oldest first, including the answer of a running turn. */
export async function readMessages(pool: Pool, conversationId: string): Promise<ListedMessage[]> {
  const { rows } = await pool.query<ListedMessage>(LIST, [conversationId]);
  return rows;
}

/** Finds the message with this id unless it was removed. */
export async function findMessage(pool: Pool, id: string): Promise<ListedMessage | undefined> {
  const { rows } = await pool.query<ListedMessage>(FIND, [id]);
  return rows[0] ?? (await findRunning(pool, id));
}

/** Tolerance between the time in an id and the start of its turn: the turn may have waited, and clocks differ. */
const EARLIER_MS = 30_000;
const LATER_MS = 90_000;

/**
 * Answers of running turns have no row yet, and an index of their ids would slow down every turn. Their ids contain their creation time,
 * and turns are indexed by start time.
 */
async function findRunning(pool: Pool, id: string): Promise<ListedMessage | undefined> {
  const madeAt = findTimestamp(id);
  if (madeAt === undefined) return undefined;
  const text = `${RUNNING} FROM turns t LEFT JOIN turn_partials p ON p.turn_id = t.id
    WHERE t.started_at BETWEEN $2 AND $3 AND t.assistant_message_id = $1 AND ${NOT_ENDED}`;
  const { rows } = await pool.query<ListedMessage>(text, [id, new Date(madeAt - EARLIER_MS), new Date(madeAt + LATER_MS)]);
  return rows[0];
}

/** The Unix time of a UUIDv7 in milliseconds (RFC 9562, section 5.7); undefined for another UUID. */
function findTimestamp(id: string): number | undefined {
  return isUuid(id) && id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
