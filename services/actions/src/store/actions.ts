import { type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';
import { type Database } from './database.ts';

/** An action with its current version. */
export interface StoredAction {
  slug: string;
  status: 'active' | 'disabled';
  version: number;
  workflow: Workflow;
  publishedAt: Date;
  createdAt: Date;
}

const SELECT = `
SELECT a.slug, a.status, v.version, v.workflow, v.published_at AS "publishedAt", a.created_at AS "createdAt"
FROM actions a JOIN action_versions v ON v.slug = a.slug AND v.version = a.current_version`;

/** Finds an action, disabled or not; undefined when it does not exist. */
export async function findAction({ pool }: Database, slug: string): Promise<StoredAction | undefined> {
  return (await pool.query<StoredAction>(`${SELECT} WHERE a.slug = $1`, [slug])).rows[0];
}

/** Returns a page of actions by slug and the total number; of all statuses when `status` is undefined. */
export async function listActions(
  { pool }: Database,
  status: StoredAction['status'] | undefined,
  page: { limit: number; offset: number },
): Promise<{ actions: StoredAction[]; total: number }> {
  const condition = `($1::text IS NULL OR a.status = $1)`;
  const [{ rows: actions }, { rows: counts }] = await Promise.all([
    pool.query<StoredAction>(`${SELECT} WHERE ${condition} ORDER BY a.slug LIMIT $2 OFFSET $3`, [status, page.limit, page.offset]),
    pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM actions a WHERE ${condition}`, [status]),
  ]);
  return { actions, total: counts[0]?.total ?? 0 };
}

/** Finds the number of the current version of an action; undefined when it is unknown or disabled. */
export async function findCurrentVersion({ pool }: Database, slug: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ version: number }>(
    `SELECT current_version AS version FROM actions WHERE slug = $1 AND status = 'active'`,
    [slug],
  );
  return rows[0]?.version;
}

/** Finds the workflow of a version of an action; undefined when it does not exist. */
export async function findWorkflow({ pool }: Database, slug: string, version: number): Promise<Workflow | undefined> {
  const { rows } = await pool.query<{ workflow: Workflow }>('SELECT workflow FROM action_versions WHERE slug = $1 AND version = $2', [
    slug,
    version,
  ]);
  return rows[0]?.workflow;
}

/** A version of an action, without its workflow. */
export interface StoredVersion {
  version: number;
  publishedAt: Date;
  isCurrent: boolean;
}

const SELECT_VERSION = `v.version, v.published_at AS "publishedAt", v.version = a.current_version AS "isCurrent"`;
const VERSIONS = 'action_versions v JOIN actions a ON a.slug = v.slug';

/** Returns the newest versions of an action, newest first; empty for an unknown action. */
export async function listVersions({ pool }: Database, slug: string, limit: number): Promise<StoredVersion[]> {
  const query = `SELECT ${SELECT_VERSION} FROM ${VERSIONS} WHERE v.slug = $1 ORDER BY v.version DESC LIMIT $2`;
  return (await pool.query<StoredVersion>(query, [slug, limit])).rows;
}

/** Finds a version with its document and sources as they were published; undefined when it does not exist. */
export async function findVersion(
  { pool }: Database,
  slug: string,
  version: number,
): Promise<(StoredVersion & { document: JsonValue; sources: Readonly<Record<string, JsonValue>> }) | undefined> {
  const query = `SELECT ${SELECT_VERSION}, v.document, v.sources FROM ${VERSIONS} WHERE v.slug = $1 AND v.version = $2`;
  const { rows } = await pool.query<StoredVersion & { document: JsonValue; sources: Record<string, JsonValue> }>(query, [slug, version]);
  return rows[0];
}

/** Enables or disables an action; false when it does not exist. */
export async function setActionStatus({ pool }: Database, slug: string, status: StoredAction['status']): Promise<boolean> {
  const { rowCount } = await pool.query('UPDATE actions SET status = $2, updated_at = now() WHERE slug = $1', [slug, status]);
  return rowCount === 1;
}
