import type { PoolClient } from 'pg';
import { toSearchText } from '../domain/search-text.ts';

/** A searchable text: a message, or a title under the id of its conversation. */
export interface SearchDocument {
  id: string;
  conversationId: string;
  /** Original text. */
  text: string;
}

/** An advisory lock id that is unique in this database. */
const LOCK = 1_668_247_414;

/**
 * Locks the search index until the transaction ends: `shared` to add documents of turns, `exclusive` to change or delete documents, because
 * a concurrent insert could restore what it had read before.
 */
export async function lockIndex(client: PoolClient, mode: 'shared' | 'exclusive'): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock${mode === 'shared' ? '_shared' : ''}($1)`, [LOCK]);
}

const columns = (documents: readonly SearchDocument[]) => [
  documents.map(({ id }) => id),
  documents.map(({ conversationId }) => conversationId),
  documents.map(({ text }) => toSearchText(text)),
];

/** Inserts documents; returns the ids of the new ones. */
export async function insertDocuments(client: PoolClient, documents: readonly SearchDocument[]): Promise<string[]> {
  if (documents.length === 0) return [];
  const text = `INSERT INTO search_documents (id, conversation_id, text) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])
    ON CONFLICT DO NOTHING RETURNING id`;
  const { rows } = await client.query<{ id: string }>(text, columns(documents));
  return rows.map(({ id }) => id);
}

/** Inserts or updates documents. */
export async function upsertDocuments(client: PoolClient, documents: readonly SearchDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const text = `INSERT INTO search_documents (id, conversation_id, text) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])
    ON CONFLICT (id) DO UPDATE SET text = excluded.text`;
  await client.query(text, columns(documents));
}

/** Deletes documents by id. */
export async function deleteDocuments(client: PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await client.query('DELETE FROM search_documents WHERE id = ANY ($1::uuid[])', [ids]);
}

/** Deletes all documents of a conversation. */
export async function deleteConversationDocuments(client: PoolClient, conversationId: string): Promise<void> {
  await client.query('DELETE FROM search_documents WHERE conversation_id = $1', [conversationId]);
}
