import type { Pool } from 'pg';
import { CONVERSATION_COLUMNS, type StoredConversation } from './conversations.ts';

/** Filters of a list; empty filters match everything. */
export interface ConversationListQuery {
  workspaceId: string;
  keyId: string;
  /** Null for a key without a user. */
  userId: string | null;
  status: string;
  search: string;
  pinnedOnly: boolean;
  destination: string;
  account: string;
  project: string;
  limit: number;
  offset: number;
}

/** Matches are counted up to this number: counting all would read all. */
export const MAX_COUNTED_MATCHES = 10_000;

/** One page. */
export interface ConversationListResult {
  conversations: StoredConversation[];
  /** Number of matches, or more than `MAX_COUNTED_MATCHES` when there are more. */
  total: number;
}

/** Conversations that a caller sees for one reason, as SQL: `FROM … WHERE …` of conversations `c`. */
export interface VisibleSetSql {
  sql: string;
  /** Id of the key or user that owns them; null when others own them. */
  ownerId: string | null;
}

/**
 * A caller sees three disjoint sets: conversations of the key, of the user, and those shared with the user. Each has an index in the order
 * of the list, so that a page reads few other rows. The indexes leave out what every list leaves out: deleted conversations, and refused
 * ones, of which no upstream has accepted a turn.
 */
const OF_KEY = 'FROM conversations c WHERE c.workspace_id = $1 AND c.owner_key_id = $2';
const OF_USER = 'FROM conversations c WHERE c.workspace_id = $1 AND c.owner_key_id IS NULL AND c.owner_user_id = $3';
const SHARED = `FROM participants p JOIN conversations c ON c.id = p.conversation_id
  WHERE p.workspace_id = $1 AND p.user_id = $3 AND c.workspace_id = $1 AND c.owner_key_id IS DISTINCT FROM $2
    AND (c.owner_key_id IS NOT NULL OR c.owner_user_id IS DISTINCT FROM $3)`;

/** SQL: the order of every list. */
export const NEWEST_FIRST = 'ORDER BY c.last_message_at DESC, c.id DESC';

/** Lists conversations without a search. The statements are planned for each query, because plans depend on the filters. */
export async function listConversations(pool: Pool, query: ConversationListQuery): Promise<ConversationListResult> {
  const { limit, offset } = query;
  const { sets, values } = toVisibleSets(query);
  const pages = sets.map(({ sql }) => `(SELECT c.* ${sql} ${NEWEST_FIRST} LIMIT ${limit + offset})`);
  const { rows } = await pool.query<StoredConversation>(
    `SELECT ${CONVERSATION_COLUMNS} FROM (${pages.join(' UNION ALL ')}) c ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  // A page that is not full implies the total.
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  return { conversations: rows, total: isLast ? offset + rows.length : await count(pool, sets, values) };
}

/** Counts up to one more than `MAX_COUNTED_MATCHES`. */
async function count(pool: Pool, sets: readonly VisibleSetSql[], values: readonly unknown[]): Promise<number> {
  const found = sets.map(({ sql }) => `(SELECT ${sql} LIMIT ${MAX_COUNTED_MATCHES + 1})`);
  const text = `SELECT count(*)::int AS total FROM (SELECT FROM (${found.join(' UNION ALL ')}) u LIMIT ${MAX_COUNTED_MATCHES + 1}) c`;
  const { rows } = await pool.query<{ total: number }>(text, [...values]);
  return rows[0]?.total ?? 0;
}

/** The visible sets with the filters of a query, and the parameters. */
export function toVisibleSets(query: ConversationListQuery): { sets: VisibleSetSql[]; values: unknown[] } {
  const { workspaceId, keyId, userId } = query;
  const values: unknown[] = userId === null ? [workspaceId, keyId] : [workspaceId, keyId, userId];
  const conditions = ['c.deleted_at IS NULL', 'NOT c.refused'];
  const add = (given: string, column: string) => {
    if (given !== '') conditions.push(`c.${column} = $${values.push(given)}`);
  };
  if (query.pinnedOnly) conditions.push('c.pinned');
  add(query.status, 'status');
  add(query.destination, 'destination_type');
  add(query.account, 'upstream_account_id');
  add(query.project, 'upstream_project_id');
  const filtered = (sql: string, ownerId: string | null) => ({ sql: `${sql} AND ${conditions.join(' AND ')}`, ownerId });
  const own = filtered(OF_KEY, keyId);
  return { sets: userId === null ? [own] : [own, filtered(OF_USER, userId), filtered(SHARED, null)], values };
}
