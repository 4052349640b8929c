import { transaction } from '@parley/kit/db/pool';
import { type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';
import { type Database } from './database.ts';

/** A document without findings, and its workflow. */
export interface NewVersion {
  workflow: Workflow;
  document: JsonValue;
  sources: Readonly<Record<string, JsonValue>>;
  /** SHA-256 of document and sources. */
  digest: Uint8Array;
}

// The row of the action is locked first, so that concurrent publications get different numbers.
const LOCK = `
INSERT INTO actions (slug, status, current_version) VALUES ($1, 'active', 0)
ON CONFLICT (slug) DO UPDATE SET updated_at = now()`;

const INSERT = `
INSERT INTO action_versions (slug, version, digest, document, sources, workflow)
SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5 FROM action_versions WHERE slug = $1
RETURNING version`;

/**
 * Makes a document the current version of its action: adds a version, or selects the existing one with the same digest. A disabled action
 * stays disabled.
 */
export async function publishVersion({ pool }: Database, { workflow, document, sources, digest }: NewVersion): Promise<void> {
  const { slug } = workflow;
  await transaction(pool, async (client) => {
    await client.query(LOCK, [slug]);
    const known = await client.query<{ version: number }>('SELECT version FROM action_versions WHERE slug = $1 AND digest = $2', [
      slug,
      digest,
    ]);
    const texts = [document, sources, workflow].map((value) => JSON.stringify(value));
    const { rows } = known.rowCount === 1 ? known : await client.query<{ version: number }>(INSERT, [slug, digest, ...texts]);
    await client.query('UPDATE actions SET current_version = $2 WHERE slug = $1', [slug, rows[0]?.version]);
  });
}
