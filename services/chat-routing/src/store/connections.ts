import { GatewayError } from '@parley/protos/errors';
import { Prisma } from '../generated/prisma/client.ts';
import { type Database, withDatabaseErrors } from './database.ts';
import { HEALTH_COLUMNS, type HealthRow } from './health.ts';

/**
 * A stored connection. `secret`: encrypted, null without one. `account`: provider-specific, such as an account name, region or header name.
 */
export interface ConnectionRow {
  id: string;
  workspaceId: string;
  label: string;
  provider: string;
  baseUrl: string;
  account: string;
  secret: Uint8Array | null;
  models: string[];
  /** The operator named the models; the upstream's list is not used. */
  modelsNamed: boolean;
  enabled: boolean;
  isDefault: boolean;
  /** Maximum concurrent turns per process; null for the configured default. */
  maxConcurrency: number | null;
  /** Names of the request parameters that are passed to the upstream. */
  pass: string[];
  /** The model that `auto` selects; empty for the first chat model. */
  defaultModel: string;
  /** Model by alias. */
  aliases: Record<string, string>;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Changes to a connection; undefined fields stay unchanged. */
export type ConnectionChange = Partial<
  Pick<
    ConnectionRow,
    'label' | 'enabled' | 'baseUrl' | 'account' | 'models' | 'isDefault' | 'maxConcurrency' | 'pass' | 'defaultModel' | 'aliases'
  >
> & {
  secret?: Uint8Array | null;
};

const READ = `
  SELECT c.id, c.workspace_id AS "workspaceId", c.label, c.provider, c.base_url AS "baseUrl", c.account, c.secret, c.models,
         c.models_named AS "modelsNamed", c.enabled,
         c.is_default AS "isDefault", c.max_concurrency AS "maxConcurrency", c.created_at AS "createdAt", c.last_used_at AS "lastUsedAt",
         c.pass, c.default_model AS "defaultModel", c.aliases,
         ${HEALTH_COLUMNS}
    FROM connections c LEFT JOIN connection_health h ON h.connection_id = c.id
   WHERE c.workspace_id = ANY($1::uuid[]) ORDER BY c.created_at, c.id`;

const CLAIM_REFRESH = `
  UPDATE connections SET models_asked_at = now() WHERE id IN (
    SELECT id FROM connections WHERE enabled AND NOT models_named AND models_asked_at < now() - $1 * interval '1 millisecond'
     ORDER BY models_asked_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING id, workspace_id AS "workspaceId"`;

/** Reads the connections of these workspaces with their health, oldest first. */
export async function readConnections(database: Database, workspaceIds: readonly string[]): Promise<(ConnectionRow & HealthRow)[]> {
  const { rows } = await database.pool.query<ConnectionRow & HealthRow>({ name: 'read_connections', text: READ, values: [workspaceIds] });
  return rows;
}

/** Additional writes in the transaction that stores a connection; an error rolls all of it back. */
export type TransactionHook = (tx: Prisma.TransactionClient) => Promise<void>;

/**
 * Inserts a connection. With `isDefault` it replaces the default connection `among` these providers. Throws VALIDATION_ERROR when the
 * workspace already has a connection with this label, and what `within` throws.
 */
export async function insertConnection(
  database: Database,
  row: Omit<ConnectionRow, 'lastUsedAt' | 'createdAt' | 'enabled'>,
  among: readonly string[],
  within: TransactionHook = () => Promise.resolve(),
): Promise<void> {
  const data = { ...row, secret: row.secret && new Uint8Array(row.secret) };
  await withLabelErrors(row.label, async () => {
    await database.prisma.$transaction(async (tx) => {
      if (row.isDefault) await tx.connection.updateMany(noDefault(row.workspaceId, among));
      await tx.connection.create({ data });
      await within(tx);
    });
  });
}

/** Selects a connection of a workspace; with base URL or account, only while these still match. */
type ConnectionRef = Pick<ConnectionRow, 'workspaceId' | 'id'> & Partial<Pick<ConnectionRow, 'baseUrl' | 'account'>>;

/** Updates a connection; parameters and errors as in `insertConnection`. False when no connection matches `where`. */
export async function changeConnection(
  database: Database,
  where: ConnectionRef,
  change: ConnectionChange,
  among: readonly string[],
  within: TransactionHook = () => Promise.resolve(),
): Promise<boolean> {
  const { secret, ...rest } = change;
  const data = { ...rest, ...(secret !== undefined && { secret: secret && new Uint8Array(secret) }), updatedAt: new Date() };
  return withLabelErrors(change.label ?? '', () =>
    database.prisma.$transaction(async (tx) => {
      if (change.isDefault) await tx.connection.updateMany(noDefault(where.workspaceId, among));
      const { count } = await tx.connection.updateMany({ where, data });
      if (count > 0) await within(tx);
      return count > 0;
    }),
  );
}

/** Whether another workspace has a connection with this id. */
export async function existsInOtherWorkspace(database: Database, workspaceId: string, id: string): Promise<boolean> {
  return (await withLabelErrors('', () => database.prisma.connection.count({ where: { id, workspaceId: { not: workspaceId } } }))) > 0;
}

/** Lists the encrypted secrets of all connections, for rotation. */
export async function listSecrets(database: Database): Promise<{ id: string; secret: Uint8Array }[]> {
  const rows = await withLabelErrors('', () =>
    database.prisma.connection.findMany({ where: { secret: { not: null } }, select: { id: true, secret: true } }),
  );
  return rows.flatMap(({ id, secret }) => (secret ? [{ id, secret }] : []));
}

/** Replaces an encrypted secret if it still equals `before`; false when it does not. */
export async function replaceSecret(database: Database, id: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
  const { count } = await withLabelErrors('', () =>
    database.prisma.connection.updateMany({ where: { id, secret: new Uint8Array(before) }, data: { secret: new Uint8Array(after) } }),
  );
  return count > 0;
}

/** Claims up to `limit` enabled connections whose model list was not refreshed for `everyMs`; the caller refreshes them. */
export async function claimModelRefresh(
  database: Database,
  everyMs: number,
  limit: number,
): Promise<{ id: string; workspaceId: string }[]> {
  const { rows } = await database.pool.query<{ id: string; workspaceId: string }>(CLAIM_REFRESH, [everyMs, limit]);
  return rows;
}

/** Stores the models that the upstream lists, unless the operator has named models. False when nothing changed. */
export async function setModels(database: Database, id: string, models: readonly string[]): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'UPDATE connections SET models = $2, models_asked_at = now() WHERE id = $1 AND NOT models_named AND models <> $2',
    [id, models],
  );
  return rowCount === 1;
}

/** Sets the time of the last use of connections to now. */
export async function touchConnections(database: Database, ids: readonly string[]): Promise<void> {
  await database.pool.query('UPDATE connections SET last_used_at = now() WHERE id = ANY($1::uuid[])', [ids]);
}

async function withLabelErrors<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withDatabaseErrors(work);
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
      throw new GatewayError('VALIDATION_ERROR', `a connection with the label ${JSON.stringify(label)} exists already`, {
        param: 'label',
        cause: error,
      });
    }
    throw error;
  }
}

/** Update that removes the default flag among these providers; each purpose has a separate default. */
function noDefault(workspaceId: string, among: readonly string[]) {
  return { where: { workspaceId, provider: { in: [...among] } }, data: { isDefault: false } };
}
