import type { Pool } from 'pg';
import { toLikePattern } from '../domain/search-text.ts';
import { CONVERSATION_COLUMNS, type StoredConversation } from './conversations.ts';

/** Filters of a list; empty filters match everything. */
export interface ListQuery {
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

/** One page, and the total number of matches. */
export interface ListedConversations {
  conversations: StoredConversation[];
  total: number;
}

/**
 * A caller sees three disjoint sets: conversations of the key, of the user, and those shared with the user. Each has an index in the order
 * of the list, so that a page reads few other rows.
 */
const OWN = 'SELECT c.* FROM conversations c WHERE c.workspace_id = $1 AND c.owner_key_id = $2';
const OWNED_BY_USER = 'SELECT c.* FROM conversations c WHERE c.workspace_id = $1 AND c.owner_key_id IS NULL AND c.owner_user_id = $3';
const SHARED = `SELECT c.* FROM participants p JOIN conversations c ON c.id = p.conversation_id
  WHERE p.workspace_id = $1 AND p.user_id = $3 AND c.workspace_id = $1 AND c.owner_key_id IS DISTINCT FROM $2
    AND (c.owner_key_id IS NOT NULL OR c.owner_user_id IS DISTINCT FROM $3)`;

/**
 * Lists conversations. The statements are planned for each query: whether a search starts with the index of the text or with the caller's
 * conversations depends on how rare the text is.
 */
export async function listConversations(pool: Pool, query: ListQuery): Promise<ListedConversations> {
  const { limit, offset } = query;
  const { sets, values } = toFilteredSets(query);
  const page = sets.map((set) => `(${set} ORDER BY c.last_message_at DESC, c.id DESC LIMIT ${limit + offset})`);
  const { rows } = await pool.query<StoredConversation>(
    `SELECT ${CONVERSATION_COLUMNS} FROM (${page.join(' UNION ALL ')}) c ORDER BY c.last_message_at DESC, c.id DESC LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  // A page that is not full implies the total.
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  return { conversations: rows, total: isLast ? offset + rows.length : await count(pool, sets, values) };
}

async function count(pool: Pool, sets: readonly string[], values: readonly unknown[]): Promise<number> {
  const counts = sets.map((set) => `(${set.replace('SELECT c.*', 'SELECT count(*)')})`);
  const { rows } = await pool.query<{ total: number }>(`SELECT (${counts.join(' + ')})::int AS total`, [...values]);
  return rows[0]?.total ?? 0;
}

/** The sets with the filters of a query, and the parameters. */
function toFilteredSets(query: ListQuery): { sets: string[]; values: unknown[] } {
  const { workspaceId, keyId, userId } = query;
  const values: unknown[] = userId === null ? [workspaceId, keyId] : [workspaceId, keyId, userId];
  const conditions = ['c.deleted_at IS NULL'];
  const add = (given: string, condition: (parameter: string) => string) => {
    if (given !== '') conditions.push(condition(`$${values.push(given)}`));
  };
  if (query.pinnedOnly) conditions.push('c.pinned');
  add(query.status, (parameter) => `c.status = ${parameter}`);
  add(query.destination, (parameter) => `c.destination_type = ${parameter}`);
  add(query.account, (parameter) => `c.upstream_account_id = ${parameter}`);
  add(query.project, (parameter) => `c.upstream_project_id = ${parameter}`);
  if (query.search !== '') conditions.push(`EXISTS (${matching(`$${values.push(toLikePattern(query.search))}`, query.search)})`);
  const sets = userId === null ? [OWN] : [OWN, OWNED_BY_USER, SHARED];
  return { sets: sets.map((set) => `${set} AND ${conditions.join(' AND ')}`), values };
}

/**
 * SQL: the documents of a conversation `c` that contain the text. The index has trigrams of letters and digits; a text without one would
 * read all documents, so `OFFSET 0` limits the planner to those of the conversation.
 */
function matching(parameter: string, text: string): string {
  const one = `SELECT FROM search_documents d WHERE d.conversation_id = c.id AND d.text LIKE ${parameter}`;
  return /[\p{L}\p{N}]{3}/u.test(text) ? one : `${one} OFFSET 0`;
}
