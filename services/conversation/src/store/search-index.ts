import { transaction } from '@parley/kit/db/pool';
import type { PoolClient } from 'pg';
import { MAX_SEARCHABLE_LENGTH } from '../domain/search-text.ts';
import { type Database } from './database.ts';
import {
  MIN_UUID,
  type OwnerState,
  type SearchOwner,
  deleteSearchOwner,
  lockOwner,
  setCoveredUntil,
  ownerConditionSql,
} from './search-owners.ts';
import { coveredSequenceSql, documentSql, isReplacedSql } from './search-sql.ts';

/** Bytes of text that one step indexes, and conversations that it reads: both bound how long a step holds its locks. */
const PORTION = 256 * 1_024;
const CONVERSATIONS = 100;

/** Key space of the advisory locks of this file. */
const LOCK = 1_668_247_414;

/**
 * Locks the index of a workspace until the transaction ends: `exclusive` to build, `shared` to change, add or remove conversations, so that
 * a step of the build never reads rows that are about to change.
 */
export async function lockSearchIndex(client: PoolClient, workspaceId: string, mode: 'shared' | 'exclusive'): Promise<void> {
  const name = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await client.query(`SELECT ${name}($1, hashtext($2))`, [LOCK, workspaceId]);
}

/** A conversation whose title, messages or owner change. */
export interface IndexedConversation {
  id: string;
  workspaceId: string;
  ownerKeyId: string | null;
  ownerUserId: string | null;
}

/** Removes conversations of a workspace from the index. The caller has the index locked. */
export async function removeFromIndex(client: PoolClient, ids: readonly string[]): Promise<void> {
  const text = `WITH gone AS (DELETE FROM search_conversations WHERE conversation_id = ANY ($1::uuid[]))
    DELETE FROM search_documents WHERE conversation_id = ANY ($1::uuid[])`;
  await client.query(text, [ids]);
}

/** Removes a conversation from the index, and records that the index of its owner lacks it. The caller has the index locked. */
export async function markForReindex(client: PoolClient, { id, workspaceId, ownerKeyId, ownerUserId }: IndexedConversation): Promise<void> {
  await removeFromIndex(client, [id]);
  const text = `INSERT INTO search_conversations (conversation_id, workspace_id, owner_id, sequence)
    SELECT $1, workspace_id, owner_id, -1 FROM search_owners WHERE workspace_id = $2 AND owner_id = $3`;
  await client.query(text, [id, workspaceId, ownerKeyId ?? ownerUserId]);
}

/**
 * Advances the index of an owner by one step, in one transaction: indexes the next texts, or removes texts from an index that was
 * not searched for 30 days. False when nothing is left to do.
 */
export function advanceIndex({ generalPool }: Database, owner: SearchOwner): Promise<boolean> {
  return transaction(generalPool, async (client) => {
    await lockSearchIndex(client, owner.workspaceId, 'exclusive');
    await client.query('SET LOCAL jit = off');
    const state = await lockOwner(client, owner);
    if (!state) return false;
    return state.isExpired ? drop(client, owner) : build(client, owner, state);
  });
}

/** A turn of a conversation that is not in the index; one row without a turn for a conversation with none. */
interface PendingTurn {
  id: string;
  lastMessageAt: string;
  /** A change removed its documents, and the index already covers its time. */
  isStale: boolean;
  /** Sequence up to which the index covers the conversation; null for none. */
  covered: number | null;
  /** The last turn that has ended; 0 without one. */
  lastEnded: number;
  sequence: number | null;
  bytes: number;
}

/** Ended turns that the index lacks, of stale conversations first, then in the order of the last activity. */
const toListPending = (owner: SearchOwner) => `
SELECT g.id, g.last_message_at::text AS "lastMessageAt", g.stale AS "isStale", g.covered, g.ended AS "lastEnded", m.sequence, COALESCE(m.bytes, 0)::int AS bytes
FROM (
  SELECT c.id, c.last_message_at, c.stale, ${coveredSequenceSql('c.id')} AS covered, COALESCE((
    SELECT CASE WHEN (SELECT e.turn_id FROM turn_ends e WHERE e.turn_id = t.id) IS NULL THEN t.sequence - 1 ELSE t.sequence END
    FROM turns t WHERE t.conversation_id = c.id ORDER BY t.sequence DESC LIMIT 1), 0) AS ended
  FROM (
    (SELECT c.id, c.last_message_at, true AS stale FROM search_conversations s JOIN conversations c ON c.id = s.conversation_id
      WHERE s.workspace_id = $1 AND s.owner_id = $2 AND s.sequence < 0 AND ${ownerConditionSql(owner)} LIMIT ${CONVERSATIONS})
    UNION ALL
    (SELECT c.id, c.last_message_at, false FROM conversations c
      WHERE ${ownerConditionSql(owner)} AND c.last_message_at >= $3 AND (c.last_message_at, c.id) > ($3, $4) AND c.last_message_at < $5
        AND COALESCE(${coveredSequenceSql('c.id')}, 0) >= 0
      ORDER BY c.last_message_at, c.id LIMIT ${CONVERSATIONS})) c
) g LEFT JOIN LATERAL (
  SELECT m.sequence, sum(least(octet_length(m.content), ${MAX_SEARCHABLE_LENGTH})) AS bytes FROM messages m
  WHERE m.conversation_id = g.id AND m.sequence > COALESCE(g.covered, -1) AND m.sequence <= g.ended AND m.removed_at IS NULL
  GROUP BY m.sequence) m ON true
ORDER BY g.stale DESC, g.last_message_at, g.id, m.sequence`;

/** A conversation whose turns after `from` up to `to` are indexed. */
interface Span {
  turn: PendingTurn;
  from: number;
  to: number;
}

async function build(client: PoolClient, owner: SearchOwner, { coveredUntil, coveredId, settledUntil }: OwnerState): Promise<boolean> {
  const values = [owner.workspaceId, owner.ownerId, coveredUntil, coveredId, settledUntil];
  const { rows } = await client.query<PendingTurn>(toListPending(owner), values);
  const spans = toSpans(rows);
  await index(client, owner, spans);
  const passed = spans.findLast(({ turn, to }) => !turn.isStale && to >= turn.lastEnded)?.turn;
  if (spans.length > 0) {
    if (passed) await setCoveredUntil(client, owner, passed.lastMessageAt, passed.id);
    return true;
  }
  await setCoveredUntil(client, owner, settledUntil, MIN_UUID);
  return false;
}

/** The spans of a portion; a conversation with more than the rest of it is continued by the next step. */
function toSpans(pending: readonly PendingTurn[]): Span[] {
  const spans: Span[] = [];
  let left = PORTION;
  for (const turn of pending) {
    if (left <= 0) break;
    let span = spans.at(-1);
    if (span?.turn.id !== turn.id) {
      const from = turn.covered ?? -1;
      span = { turn, from, to: turn.lastEnded };
      spans.push(span);
    }
    left -= turn.bytes;
    if (left <= 0 && turn.sequence !== null) span.to = hasMore(pending, turn) ? turn.sequence : turn.lastEnded;
  }
  return spans;
}

/** True when a later turn of the same conversation is pending. */
function hasMore(pending: readonly PendingTurn[], { id, sequence }: PendingTurn): boolean {
  return pending.some((other) => other.id === id && other.sequence !== null && other.sequence > (sequence ?? 0));
}

const SPANS = 'unnest($1::uuid[], $2::int[], $3::int[]) AS g (id, covered, upto)';

/** The answer that the first turn of a span replaced; documents of what the index never covered, which an earlier release may have left. */
const CLEAN = `
DELETE FROM search_documents d USING ${SPANS} WHERE d.conversation_id = g.id
  AND (g.covered < 0 OR ${isReplacedSql('d.id', 'g.id', 't.sequence = g.covered')})`;

const ADD = `
INSERT INTO search_documents (id, conversation_id, text)
SELECT m.id, m.conversation_id, ${documentSql('m.content')} FROM ${SPANS}
CROSS JOIN LATERAL (SELECT * FROM messages m WHERE m.conversation_id = g.id AND m.sequence > g.covered AND m.sequence <= g.upto
  AND m.removed_at IS NULL AND m.content <> '' OFFSET 0) m
WHERE NOT ${isReplacedSql('m.id', 'm.conversation_id', 't.id = m.turn_id')}
UNION ALL
SELECT c.id, c.id, ${documentSql('c.title')} FROM ${SPANS} JOIN conversations c ON c.id = g.id WHERE g.covered <= 0 AND c.title <> ''
ON CONFLICT DO NOTHING`;

const COVER = `
INSERT INTO search_conversations (conversation_id, workspace_id, owner_id, sequence)
SELECT g.id, $4, $5, g.upto FROM ${SPANS}
ON CONFLICT (conversation_id) DO UPDATE SET sequence = excluded.sequence, owner_id = excluded.owner_id`;

async function index(client: PoolClient, { workspaceId, ownerId }: SearchOwner, spans: readonly Span[]): Promise<void> {
  if (spans.length === 0) return;
  const columns = [spans.map(({ turn }) => turn.id), spans.map(({ from }) => from), spans.map(({ to }) => to)];
  await client.query(CLEAN, columns);
  await client.query(ADD, columns);
  await client.query(COVER, [...columns, workspaceId, ownerId]);
}

const DROP = `
WITH gone AS (
  DELETE FROM search_conversations WHERE conversation_id = ANY (ARRAY(
    SELECT conversation_id FROM search_conversations WHERE workspace_id = $1 AND owner_id = $2 LIMIT ${CONVERSATIONS}))
  RETURNING conversation_id
), emptied AS (
  DELETE FROM search_documents WHERE conversation_id IN (SELECT conversation_id FROM gone)
)
SELECT conversation_id FROM gone`;

async function drop(client: PoolClient, owner: SearchOwner): Promise<boolean> {
  // From now on searches read the texts themselves, because the index no longer covers them.
  await setCoveredUntil(client, owner, 'epoch', MIN_UUID);
  const { rowCount } = await client.query(DROP, [owner.workspaceId, owner.ownerId]);
  if (rowCount !== 0) return true;
  await deleteSearchOwner(client, owner);
  return false;
}
