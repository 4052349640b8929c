import { type BlobKeyParts } from '@parley/kit/blob/blob-key-scheme';
import { toBlobKey } from '../domain/blob-key.ts';
import { type Database } from './database.ts';

/** Returns the keys of those blobs that an asset refers to or that its worker is writing, and the database's time. */
export async function findReferencedBlobs({ pool }: Database, blobs: readonly BlobKeyParts[]): Promise<{ known: Set<string>; now: Date }> {
  const { rows } = await pool.query<{ id: string; key: string | null; generation: number }>(
    `SELECT id, blob_key AS key, generation FROM assets
     WHERE id = ANY ($1::uuid[]) AND (blob_key IS NOT NULL OR status IN ('discovered', 'downloading', 'validating'))`,
    [blobs.map(({ id }) => id)],
  );
  const clock = await pool.query<{ now: Date }>('SELECT now()');
  return {
    known: new Set(rows.map(({ id, key, generation }) => key ?? toBlobKey(id, generation))),
    now: clock.rows[0]?.now ?? new Date(0),
  };
}
