import { transaction } from '@parley/kit/db/pool';
import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import type pg from 'pg';
import { type MemoryPolicy, type MemoryPolicyStatus } from '../domain/memory-policy.ts';
import { toProjectChangedEvent, type ProjectEventType } from '../domain/project-event.ts';
import { type Database } from './database.ts';
import { type Store } from './store.ts';

/** A stored upstream project. */
export interface StoredProject {
  id: string;
  workspaceId: string;
  connectionId: string;
  slug: string;
  name: string;
  status: string;
  upstreamRef: string;
  instructions: string | null;
  memoryPolicy: MemoryPolicy;
  memoryPolicyStatus: MemoryPolicyStatus;
  isDefault: boolean;
  /** Whether the workspace may select the project. */
  bound: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** A project to insert. */
export type NewProject = Omit<StoredProject, 'status' | 'isDefault' | 'createdAt' | 'updatedAt'>;

/** Where a slug must be unique: among the projects of the connection, or of the whole workspace. */
export type SlugScope = 'account' | 'workspace';

/** A page of active projects; `total` is the number of all matches. */
export interface ProjectPage {
  projects: StoredProject[];
  total: number;
}

const COLUMNS = `p.id, p.workspace_id AS "workspaceId", p.connection_id AS "connectionId", p.slug, p.name, p.status,
  p.upstream_ref AS "upstreamRef", p.instructions, p.memory_policy AS "memoryPolicy", p.memory_policy_status AS "memoryPolicyStatus",
  p.is_default AS "isDefault", p.created_at AS "createdAt", p.updated_at AS "updatedAt",
  EXISTS (SELECT FROM project_bindings b WHERE b.project_id = p.id AND b.workspace_id = p.workspace_id) AS bound`;

const MATCHING = `p.workspace_id = $1 AND p.status = 'active' AND ($2 = '' OR strpos(lower(p.name), lower($2)) > 0)`;

/** Reads a page of a workspace's active projects whose name contains `search` (case-insensitive), newest first. */
export async function readProjectPage(
  database: Database,
  workspaceId: string,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<ProjectPage> {
  const page = `SELECT ${COLUMNS} FROM upstream_projects p WHERE ${MATCHING} ORDER BY p.created_at DESC, p.id DESC LIMIT $3 OFFSET $4`;
  const count = `SELECT count(*)::int AS total FROM upstream_projects p WHERE ${MATCHING}`;
  const [{ rows: projects }, { rows: counts }] = await Promise.all([
    database.pool.query<StoredProject>(page, [workspaceId, search, limit, offset]),
    database.pool.query<{ total: number }>(count, [workspaceId, search]),
  ]);
  return { projects, total: counts[0]?.total ?? 0 };
}

/** Finds the active project of a workspace with this id. */
export async function findStoredProject(database: Database, workspaceId: string, id: string): Promise<StoredProject | undefined> {
  return isUuid(id) ? findIn(database.pool, workspaceId, id) : undefined;
}

/** Throws PROJECT_ALREADY_EXISTS when another active project in the scope has this slug. */
export async function requireFreeSlug(
  database: Database,
  project: Pick<NewProject, 'id' | 'workspaceId' | 'connectionId' | 'slug'>,
  scope: SlugScope,
): Promise<void> {
  await requireFreeIn(database.pool, project, scope);
}

/**
 * Inserts a project, with its binding if `bound`. Throws PROJECT_ALREADY_EXISTS for its slug or upstream project, and ACCOUNT_NOT_ACTIVE.
 */
export async function insertProject(store: Store, project: NewProject, scope: SlugScope): Promise<StoredProject> {
  return commitChange(store, project.workspaceId, project.id, 'created', async (client) => {
    await requireFreeIn(client, project, scope);
    const { id, workspaceId, connectionId, slug, name, upstreamRef, instructions, memoryPolicy, memoryPolicyStatus } = project;
    const { rowCount } = await client.query(
      `INSERT INTO upstream_projects
         (id, workspace_id, connection_id, slug, name, upstream_ref, instructions, memory_policy, memory_policy_status)
       SELECT $1, $2, c.id, $4, $5, $6, $7, $8, $9 FROM connections c WHERE c.id = $3`,
      [id, workspaceId, connectionId, slug, name, upstreamRef, instructions, memoryPolicy, memoryPolicyStatus],
    );
    if (rowCount === 0) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account was disconnected meanwhile');
    if (project.bound) await bindIn(client, workspaceId, id, true);
    return true;
  });
}

/** Changes name or instructions (null deletes them) of an active project and returns it. Throws PROJECT_NOT_FOUND. */
export async function changeProject(
  store: Store,
  workspaceId: string,
  id: string,
  { name, instructions }: { name?: string; instructions?: string | null },
): Promise<StoredProject> {
  return commitChange(store, workspaceId, id, 'updated', async (client) => {
    const { rowCount } = await client.query(
      `UPDATE upstream_projects SET name = coalesce($3, name), instructions = CASE WHEN $4 THEN $5 ELSE instructions END, updated_at = now()
        WHERE workspace_id = $1 AND id = $2 AND status = 'active'`,
      [workspaceId, id, name ?? null, instructions !== undefined, instructions ?? null],
    );
    return rowCount === 1;
  });
}

/**
 * Sets whether a project is bound and whether it is the workspace's default; undefined fields stay unchanged. Throws PROJECT_NOT_FOUND, and
 * VALIDATION_ERROR for a default project that would not be bound.
 */
export async function bindStoredProject(
  store: Store,
  workspaceId: string,
  id: string,
  { bound, isDefault }: { bound?: boolean; isDefault?: boolean },
): Promise<StoredProject> {
  return commitChange(store, workspaceId, id, 'updated', async (client) => {
    if (!(await findIn(client, workspaceId, id))) return false;
    if (bound !== undefined) await bindIn(client, workspaceId, id, bound);
    // An unbound project stops being the default, unless the request makes it one, which is rejected below.
    const becomes = bound === false ? (isDefault ?? false) : isDefault;
    if (becomes)
      await client.query('UPDATE upstream_projects SET is_default = false WHERE workspace_id = $1 AND is_default', [workspaceId]);
    await client.query('UPDATE upstream_projects SET is_default = coalesce($2, is_default), updated_at = now() WHERE id = $1', [
      id,
      becomes ?? null,
    ]);
    const now = await findIn(client, workspaceId, id);
    if (now?.isDefault && !now.bound)
      throw new GatewayError('VALIDATION_ERROR', 'only a project that is bound can be the default one', { param: 'is_default' });
    return true;
  });
}

/** Marks a project as deleted and deletes its file rows. Throws PROJECT_NOT_FOUND. */
export async function markProjectDeleted(store: Store, workspaceId: string, id: string): Promise<StoredProject> {
  return commitChange(store, workspaceId, id, 'deleted', async (client) => {
    await client.query('DELETE FROM upstream_files WHERE project_id = $1', [id]);
    const { rowCount } = await client.query(
      `UPDATE upstream_projects SET status = 'deleted', is_default = false, updated_at = now()
        WHERE workspace_id = $1 AND id = $2 AND status = 'active'`,
      [workspaceId, id],
    );
    return rowCount === 1;
  });
}

/**
 * Runs a change of a project and inserts its event in one transaction, one at a time per workspace; returns the project after it. Throws
 * PROJECT_NOT_FOUND when `work` returns false.
 */
async function commitChange(
  { database, wakeOutboxRelay }: Store,
  workspaceId: string,
  id: string,
  happening: ProjectEventType,
  work: (client: pg.PoolClient) => Promise<boolean>,
): Promise<StoredProject> {
  const project = await transaction(database.pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`projects:${workspaceId}`]);
    const found = isUuid(id) && (await work(client)) ? await findIn(client, workspaceId, id, { active: false }) : undefined;
    if (!found) throw new GatewayError('PROJECT_NOT_FOUND', 'no such project', { param: 'project_id' });
    const event = toProjectChangedEvent(happening, found);
    const payload = Buffer.from(event.payload);
    await client.query('INSERT INTO outbox (id, subject, payload) VALUES ($1, $2, $3)', [event.id, event.subject, payload]);
    return found;
  });
  wakeOutboxRelay();
  return project;
}

type Queries = Pick<pg.Pool, 'query'>;

async function findIn(client: Queries, workspaceId: string, id: string, { active = true } = {}): Promise<StoredProject | undefined> {
  const { rows } = await client.query<StoredProject>(
    `SELECT ${COLUMNS} FROM upstream_projects p WHERE p.workspace_id = $1 AND p.id = $2 AND (p.status = 'active' OR NOT $3)`,
    [workspaceId, id, active],
  );
  return rows[0];
}

async function requireFreeIn(
  client: Queries,
  {
    id,
    workspaceId,
    connectionId,
    slug,
    upstreamRef = '',
  }: Pick<NewProject, 'id' | 'workspaceId' | 'connectionId' | 'slug'> & { upstreamRef?: string },
  scope: SlugScope,
): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM upstream_projects WHERE workspace_id = $1 AND status = 'active' AND id <> $2
        AND ((slug = $3 AND ($4 OR connection_id = $5)) OR ($6 <> '' AND upstream_ref = $6 AND connection_id = $5)) LIMIT 1`,
    [workspaceId, id, slug, scope === 'workspace', connectionId, upstreamRef],
  );
  if (rowCount)
    throw new GatewayError('PROJECT_ALREADY_EXISTS', `there is a project with the slug ${JSON.stringify(slug)} already`, { param: 'name' });
}

async function bindIn(client: Queries, workspaceId: string, id: string, bound: boolean): Promise<void> {
  const statement = bound
    ? 'INSERT INTO project_bindings (workspace_id, project_id) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    : 'DELETE FROM project_bindings WHERE workspace_id = $1 AND project_id = $2';
  await client.query(statement, [workspaceId, id]);
}
