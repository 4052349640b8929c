import { transaction } from '@parley/kit/db/pool';
import type { Pool, PoolClient } from 'pg';
import { type SearchPattern, toSearchPattern } from '../domain/search-text.ts';
import { CONVERSATION_COLUMNS, type StoredConversation } from './conversations.ts';
import {
  type ConversationListQuery,
  type ConversationListResult,
  MAX_COUNTED_MATCHES,
  NEWEST_FIRST,
  type VisibleSetSql,
  toVisibleSets,
} from './list-conversations.ts';
import { coveredSequenceSql, documentSql, caseFoldSql, isReplacedSql } from './search-sql.ts';

/**
 * Finds the conversations of a list whose title or messages contain a text. Reads the index of owners that have one, and the texts of
 * everything that it does not cover. Uses one snapshot of the database, because the index may advance in the meantime. The statement
 * timeout of the pool limits a search.
 */
export function searchConversations(pool: Pool, query: ConversationListQuery): Promise<ConversationListResult> {
  return transaction(pool, async (client) => {
    // The planner overestimates these plans: compiling them (JIT) takes longer than running them.
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL jit = off');
    const { sets, values } = toVisibleSets(query);
    const index = await readIndex(client, query);
    const { text, ...constants } = toStatement(sets, values.length, index, query);
    const { rows } = await client.query<FoundRow>(text, [...values, ...constants.values]);
    return { conversations: rows.filter(isFound), total: rows[0]?.total ?? 0 };
  });
}

/** A conversation of the page, with the number of matches; a single row without a conversation for an empty page. */
type FoundRow = { total: number } & (StoredConversation | { id: null });

const isFound = (row: FoundRow): row is FoundRow & StoredConversation => row.id !== null;

/** What the index covers. Times are texts, exact to the microsecond. */
interface IndexState {
  /** Every turn that started before has ended. */
  openSince: string;
  /** By owner: conversations with an earlier last activity are in the index. */
  coveredUntil: Map<string, string>;
}

async function readIndex(client: PoolClient, { workspaceId, keyId, userId }: ConversationListQuery): Promise<IndexState> {
  const { rows } = await client.query<{ ownerId: string | null; coveredUntil: string; openSince: string }>(
    `SELECT r.open_since::text AS "openSince", o.owner_id AS "ownerId", o.covered_until::text AS "coveredUntil"
     FROM reaper_progress r LEFT JOIN search_owners o ON o.workspace_id = $1 AND o.owner_id = ANY ($2::uuid[])`,
    [workspaceId, userId === null ? [keyId] : [keyId, userId]],
  );
  return {
    openSince: rows[0]?.openSince ?? '-infinity',
    coveredUntil: new Map(rows.flatMap(({ ownerId, coveredUntil }) => (ownerId === null ? [] : [[ownerId, coveredUntil]]))),
  };
}

/** The statement of a search; its own parameters follow the `given` ones of the sets. */
function toStatement(
  sets: readonly VisibleSetSql[],
  given: number,
  { openSince, coveredUntil }: IndexState,
  { search, limit, offset }: ConversationListQuery,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${given + values.push(value)}`;
  const pattern = toSearchPattern(search);
  const match = toMatch(pattern, parameter);
  const enough = Math.max(MAX_COUNTED_MATCHES + 1, offset + limit);
  const found = (sql: string) => `(SELECT c.id, c.last_message_at ${sql} ${NEWEST_FIRST} LIMIT ${enough})`;
  const parts = sets.flatMap(({ sql, ownerId }) => {
    const covered = ownerId === null ? undefined : coveredUntil.get(ownerId);
    if (covered === undefined) return [found(`${sql} AND ${match.anywhere}`)];
    const time = `${parameter(covered)}::timestamptz`;
    return [
      found(`${sql} AND c.last_message_at < ${time} AND c.id NOT IN (SELECT id FROM newer) AND ${match.inIndex}`),
      found(`${sql} AND c.last_message_at >= ${time} AND ${match.anywhere}`),
      found(`${sql} AND c.last_message_at < ${time} AND c.id IN (SELECT id FROM newer) AND ${match.anywhere}`),
    ];
  });
  const newer = coveredUntil.size === 0 ? '' : `newer AS MATERIALIZED (${newerSql(`${parameter(openSince)}::timestamptz`)}),`;
  const page = `SELECT id FROM matched c ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}`;
  const text = `WITH ${newer} matched AS MATERIALIZED (SELECT * FROM (${parts.join(' UNION ALL ')}) c ${NEWEST_FIRST} LIMIT ${enough})
    SELECT t.total, ${CONVERSATION_COLUMNS} FROM (SELECT count(*)::int AS total FROM matched) t
    LEFT JOIN (${page}) p ON true LEFT JOIN conversations c ON c.id = p.id ${NEWEST_FIRST}`;
  return { text, values };
}

/**
 * SQL: conversations of workspace $1 that are newer than the index although their last activity is not: those with a running turn, and
 * those whose documents a change removed. The scalar subquery is an index lookup for each recent turn.
 */
const newerSql = (openSince: string) => `
SELECT t.conversation_id AS id FROM turns t
WHERE t.started_at >= ${openSince} AND t.workspace_id = $1 AND (SELECT e.turn_id FROM turn_ends e WHERE e.turn_id = t.id) IS NULL
UNION ALL SELECT s.conversation_id FROM search_conversations s WHERE s.workspace_id = $1 AND s.sequence < 0`;

/** SQL conditions on a conversation `c`. */
interface Match {
  /** For a conversation that the index covers. */
  inIndex: string;
  /** For every conversation, whatever the index covers of it. */
  anywhere: string;
}

/** `OFFSET 0` limits the planner to the rows of one conversation; without a trigram the index would read the documents of all owners. */
function toMatch({ text, likePattern, stablePart, hasTrigram }: SearchPattern, parameter: (value: unknown) => string): Match {
  // The collation of the column: the index has no other.
  const pattern = `(${caseFoldSql(`${parameter(likePattern)}::text`)} COLLATE "default")`;
  const contains = (column: string) =>
    `strpos(${caseFoldSql(column)}, ${folded.stable}) > 0 AND strpos(${documentSql(column)}, ${folded.text}) > 0`;
  const folded = { text: caseFoldSql(`${parameter(text)}::text`), stable: caseFoldSql(`${parameter(stablePart)}::text`) };
  const document = `SELECT FROM search_documents d WHERE d.conversation_id = c.id AND d.text LIKE ${pattern}`;
  return {
    inIndex: `EXISTS (${document}${hasTrigram ? '' : ' OFFSET 0'})`,
    anywhere: `(${contains('c.title')}
      OR EXISTS (${document} AND ${coveredSequenceSql('c.id')} >= 0 AND NOT ${isReplacedSql('d.id', 'c.id', `t.sequence = ${coveredSequenceSql('c.id')}`)} OFFSET 0)
      OR EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.sequence > COALESCE(${coveredSequenceSql('c.id')}, -1)
        AND m.removed_at IS NULL AND ${contains('m.content')} AND NOT ${isReplacedSql('m.id', 'm.conversation_id', 't.id = m.turn_id')} OFFSET 0))`,
  };
}
