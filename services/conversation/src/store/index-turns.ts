import { transaction } from '@parley/kit/db/pool';
import type { PoolClient } from 'pg';
import { type ChangedConversation, toConversationEvent } from '../domain/conversation-event.ts';
import { MAX_SEARCHED } from '../domain/search-text.ts';
import { toTitle } from '../domain/title.ts';
import { type Database } from './database.ts';
import { insertEvents } from './outbox.ts';
import { type SearchDocument, insertDocuments, lockIndex, upsertDocuments } from './search-documents.ts';

/** Turns of conversations that are not deleted; for `OFFSET 0` see `bindings.ts`. */
const GIVEN = `FROM unnest($1::uuid[]) AS g (id)
  CROSS JOIN LATERAL (SELECT * FROM turns WHERE id = g.id OFFSET 0) t
  CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = t.conversation_id AND deleted_at IS NULL OFFSET 0) c`;

/** The messages of the turns and their sizes in bytes, without answers that a later turn replaced. */
const LIST_MESSAGES = `
SELECT m.id, least(octet_length(m.content), ${MAX_SEARCHED}) AS size ${GIVEN}
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE conversation_id = t.conversation_id AND sequence = t.sequence AND turn_id = t.id OFFSET 0) m
WHERE m.removed_at IS NULL AND m.content <> '' AND NOT (m.id = t.assistant_message_id AND EXISTS (
  SELECT FROM turns n WHERE n.conversation_id = t.conversation_id AND n.sequence = t.sequence + 1 AND n.message_count = 0))`;

/** The texts of messages. */
const READ_TEXTS = `
SELECT m.id, m.conversation_id AS "conversationId", left(m.content, ${MAX_SEARCHED}) AS text
FROM unnest($1::uuid[]) AS g (id) CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = g.id OFFSET 0) m`;

/** Characters that are indexed at a time; reading them delays other requests of this process by some milliseconds. */
const PORTION = 512 * 1_024;

const REMOVE_REPLACED = `
DELETE FROM search_documents WHERE id = ANY (ARRAY(
  SELECT b.assistant_message_id FROM unnest($1::uuid[]) AS g (id)
  CROSS JOIN LATERAL (SELECT * FROM turns WHERE id = g.id AND message_count = 0 AND sequence > 1 OFFSET 0) t
  CROSS JOIN LATERAL (SELECT * FROM turns WHERE conversation_id = t.conversation_id AND sequence = t.sequence - 1 OFFSET 0) b))`;

interface TouchedConversation extends ChangedConversation {
  keyId: string;
  createdAt: Date;
  /** The first user message of a conversation that needs a title; else null. */
  opening: string | null;
}

const READ_TOUCHED = `
SELECT DISTINCT ON (c.id) c.id, c.workspace_id AS "workspaceId", c.owner_user_id AS "ownerUserId", c.status,
  c.continuity_status AS "continuityStatus", COALESCE(c.owner_key_id, t.key_id) AS "keyId", c.created_at AS "createdAt",
  CASE WHEN c.title = '' AND NOT c.title_is_given THEN (SELECT left(m.content, 2000) FROM messages m
    WHERE m.conversation_id = c.id AND m.role = 'user' AND m.content <> '' AND m.removed_at IS NULL
    ORDER BY m.sequence, m.position LIMIT 1) END AS opening ${GIVEN}`;

/**
 * Processes ended turns in one transaction: indexes their messages for search, writes `created` events of conversations that started with
 * a turn, and derives missing titles. Idempotent. Returns true when it wrote events.
 */
export async function indexTurns({ cold }: Database, turnIds: readonly string[]): Promise<boolean> {
  return transaction(cold, async (client) => {
    await lockIndex(client, 'shared');
    const { rows: listed } = await client.query<SizedMessage>(LIST_MESSAGES, [turnIds]);
    for (const ids of toPortions(listed)) {
      const { rows: documents } = await client.query<SearchDocument>(READ_TEXTS, [ids]);
      await insertDocuments(client, documents);
    }
    await client.query(REMOVE_REPLACED, [turnIds]);
    const { rows: touched } = await client.query<TouchedConversation>(READ_TOUCHED, [turnIds]);
    const hasEvents = await insertCreatedEvents(client, touched);
    await giveTitles(client, touched);
    return hasEvents;
  });
}

interface SizedMessage {
  id: string;
  size: number;
}

/** The ids of messages, grouped by the size of their texts. */
function toPortions(messages: readonly SizedMessage[]): string[][] {
  const portions: string[][] = [];
  let left = 0;
  for (const { id, size } of messages) {
    if (portions.length === 0 || size > left) {
      portions.push([]);
      left = PORTION;
    }
    portions.at(-1)?.push(id);
    left -= size;
  }
  return portions;
}

/** A conversation without a search document for its title has not had its `created` event. */
async function insertCreatedEvents(client: PoolClient, touched: readonly TouchedConversation[]): Promise<boolean> {
  const added = new Set(
    await insertDocuments(
      client,
      touched.map(({ id }) => ({ id, conversationId: id, text: '' })),
    ),
  );
  const created = touched.filter(({ id }) => added.has(id));
  await insertEvents(
    client,
    created.map((of) => toConversationEvent('created', of, of.createdAt, { keyId: of.keyId })),
  );
  return created.length > 0;
}

const GIVE_TITLES = `
UPDATE conversations c SET title = g.title FROM unnest($1::uuid[], $2::text[]) AS g (id, title)
WHERE c.id = g.id AND c.title = '' AND NOT c.title_is_given RETURNING c.id, c.title`;

async function giveTitles(client: PoolClient, touched: readonly TouchedConversation[]): Promise<void> {
  // In the same order as turns lock, so that the two cannot deadlock.
  const wanted = touched
    .map(({ id, opening }) => ({ id, title: toTitle(opening ?? '') }))
    .filter(({ title }) => title !== '')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  if (wanted.length === 0) return;
  await client.query('SELECT FROM conversations WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [wanted.map(({ id }) => id)]);
  const { rows } = await client.query<{ id: string; title: string }>(GIVE_TITLES, [
    wanted.map(({ id }) => id),
    wanted.map(({ title }) => title),
  ]);
  await upsertDocuments(
    client,
    rows.map(({ id, title }) => ({ id, conversationId: id, text: title })),
  );
}
