import { transaction } from '@parley/kit/db/pool';
import { GatewayError } from '@parley/protos/errors';
import type pg from 'pg';
import { type ChangedProject, toProjectChangedEvent } from '../domain/project-event.ts';
import { type Database } from './database.ts';
import { type Store } from './store.ts';

/** Identity of an existing or removed connection. It is kept after the removal, so that conversations can be taken back. */
export interface ConnectionIdentity {
  id: string;
  workspaceId: string;
  label: string;
  provider: string;
  baseUrl: string;
  account: string;
}

/** Maximum removed connections with one label that are listed. */
const MAX_OF_LABEL = 20;

const COLUMNS = 'id, workspace_id AS "workspaceId", label, provider, base_url AS "baseUrl", account';

const SHARED_SLUG = `
  SELECT p.slug FROM upstream_projects p JOIN upstream_projects q ON q.slug = p.slug AND q.status = 'active'
   WHERE p.connection_id = $1 AND p.status = 'active' AND q.connection_id = $2 ORDER BY p.slug LIMIT 1`;

const MOVE_PROJECTS = `
  UPDATE upstream_projects SET connection_id = $2, updated_at = now() WHERE connection_id = $1
  RETURNING id, workspace_id AS "workspaceId", connection_id AS "connectionId", slug, status, updated_at AS "updatedAt"`;

const REMEMBER = `
  INSERT INTO removed_connections (id, workspace_id, label, provider, base_url, account)
  SELECT id, workspace_id, label, provider, base_url, account FROM connections WHERE id = $1`;

/** Error codes of PostgreSQL: unique_violation and foreign_key_violation. */
const TAKEN = '23505';
const FOREIGN_KEY = '23503';

/** Finds an existing connection of a workspace, of any provider. */
export async function findExistingConnection(database: Database, workspaceId: string, id: string): Promise<ConnectionIdentity | undefined> {
  return findOne(database, `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]);
}

/** Finds a removed connection of a workspace. */
export async function findRemovedConnection(database: Database, workspaceId: string, id: string): Promise<ConnectionIdentity | undefined> {
  return findOne(database, `SELECT ${COLUMNS} FROM removed_connections WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]);
}

/** Lists the removed connections of a workspace with a label, last removed first. */
export async function listRemovedByLabel(database: Database, workspaceId: string, label: string): Promise<ConnectionIdentity[]> {
  const sql = `SELECT ${COLUMNS} FROM removed_connections WHERE workspace_id = $1 AND label = $2 ORDER BY removed_at DESC, id DESC LIMIT $3`;
  return (await database.pool.query<ConnectionIdentity>(sql, [workspaceId, label, MAX_OF_LABEL])).rows;
}

/** Finds a slug for which both connections have an active project, which prevents moving the projects; undefined without one. */
export async function findSharedSlug(database: Database, fromId: string, toId: string): Promise<string | undefined> {
  return (await database.pool.query<{ slug: string }>(SHARED_SLUG, [fromId, toId])).rows[0]?.slug;
}

/** Whether a connection has an active project. */
export async function hasProjects(database: Database, id: string): Promise<boolean> {
  const sql = `SELECT FROM upstream_projects WHERE connection_id = $1 AND status = 'active' LIMIT 1`;
  return (await database.pool.query(sql, [id])).rowCount === 1;
}

/**
 * Deletes a connection with its secret and its health, and inserts it as removed, in one transaction. Its projects and files move to
 * `toId`, or are deleted. False when the workspace has no such connection. Throws VALIDATION_ERROR when `toId` was changed meanwhile and
 * cannot accept them.
 */
export async function deleteConnectionRow(
  { database, wakeOutboxRelay }: Store,
  workspaceId: string,
  id: string,
  toId?: string,
): Promise<boolean> {
  try {
    const isRemoved = await transaction(database.pool, async (client) => {
      const { rowCount } = await client.query('SELECT FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [workspaceId, id]);
      if (rowCount === 0) return false;
      if (toId !== undefined) await moveReferences(client, id, toId);
      await client.query(REMEMBER, [id]);
      await client.query('DELETE FROM connections WHERE id = $1', [id]);
      return true;
    });
    if (isRemoved) wakeOutboxRelay();
    return isRemoved;
  } catch (error) {
    if (![TAKEN, FOREIGN_KEY].includes((error as { code?: string }).code ?? '')) throw error;
    throw new GatewayError('VALIDATION_ERROR', 'the connection to move to was changed meanwhile', { param: 'move_to', cause: error });
  }
}

/** Deletes rows of removed connections, once their conversations have been taken back. */
export async function deleteRemovedConnections(database: Database, ids: readonly string[]): Promise<void> {
  await database.pool.query('DELETE FROM removed_connections WHERE id = ANY($1::uuid[])', [ids]);
}

async function findOne({ pool }: Database, sql: string, values: readonly string[]): Promise<ConnectionIdentity | undefined> {
  return (await pool.query<ConnectionIdentity>(sql, [...values])).rows[0];
}

/** Moves projects and files to another connection, and inserts the events of the projects. Upstream references stay the same. */
async function moveReferences(client: pg.PoolClient, fromId: string, toId: string): Promise<void> {
  const { rows } = await client.query<ChangedProject>(MOVE_PROJECTS, [fromId, toId]);
  await client.query('UPDATE upstream_files SET connection_id = $2 WHERE connection_id = $1', [fromId, toId]);
  for (const project of rows.filter(({ status }) => status === 'active')) {
    const { id, subject, payload } = toProjectChangedEvent('updated', project);
    await client.query('INSERT INTO outbox (id, subject, payload) VALUES ($1, $2, $3)', [id, subject, Buffer.from(payload)]);
  }
}
