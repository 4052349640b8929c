import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Logger } from '../log/logger.ts';
import { databaseError, isDatabaseUnavailable } from './database-error.ts';
import { type Migration, readMigrations } from './migration-files.ts';

/** Which migrations go where. */
export interface MigrateOptions {
  url: string;
  /** Created when it does not exist. */
  schema: string;
  /** Holds `NNNN_name/migration.sql`. */
  folder: string | URL;
  log: Logger;
  /** How long to wait for a database that is still starting, in milliseconds. @default 30000 */
  startMs?: number;
}

/** The database and the migration files disagree; an operator has to decide. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Prisma's own advisory lock, so that `prisma migrate` and this runner never run side by side. */
const LOCK = 72_707_369;
const LOCK_WAIT = '5min';
const RETRY_MS = 250;

/** Prisma's table, column for column, so that `prisma migrate status` reads it. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies the migrations that the schema lacks, each in a transaction of its own, and returns their names.
 * Safe when many processes start at once: one migrates, the others wait for it.
 * @throws MigrationError when an applied file was changed, one is half applied or its SQL fails; SERVICE_UNAVAILABLE when the database stays away.
 */
export async function migrate({ url, schema, folder, log, startMs = 30_000 }: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await connect(url, startMs);
  try {
    await prepare(client, schema);
    const missing = await compare(client, schema, migrations, log);
    for (const migration of missing) {
      await apply(client, schema, migration);
      log.info({ schema, migration: migration.name }, 'migration applied');
    }
    return missing.map(({ name }) => name);
  } catch (error) {
    throw databaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(url: string, startMs: number): Promise<pg.Client> {
  const deadline = performance.now() + startMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url, application_name: 'migrate', connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw databaseError(error);
      await delay(RETRY_MS);
    }
  }
}

/** The lock belongs to the session: PostgreSQL releases it when the connection closes. */
async function prepare(client: pg.Client, schema: string): Promise<void> {
  await client.query(`SET lock_timeout = '${LOCK_WAIT}'`);
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  await client.query('RESET lock_timeout');
  const name = client.escapeIdentifier(schema);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await client.query(`SET search_path TO ${name}`);
  await client.query(MIGRATIONS_TABLE);
}

interface MigrationRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

async function compare(client: pg.Client, schema: string, migrations: readonly Migration[], log: Logger): Promise<Migration[]> {
  const { rows } = await client.query<MigrationRow>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at',
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row]));
  for (const { name, checksum } of migrations) {
    const row = applied.get(name);
    if (row && !row.finished_at) throw new MigrationError(`migration ${name} of schema ${schema} was started and never finished`);
    if (row && row.checksum !== checksum)
      throw new MigrationError(`migration ${name} of schema ${schema} was changed after it had been applied`);
  }
  const unknown = rows.map((row) => row.migration_name).filter((name) => !migrations.some((migration) => migration.name === name));
  // In a rolling update the old release may start with the new release's schema; that must not stop it.
  if (unknown.length > 0) log.warn({ schema, unknown }, 'the database has migrations of a newer release');
  return migrations.filter(({ name }) => !applied.has(name));
}

async function apply(client: pg.Client, schema: string, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN');
  try {
    await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())', [
      id,
      checksum,
      name,
    ]);
    await client.query(sql);
    await client.query('UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1', [id]);
    await client.query('COMMIT');
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    await client.query('ROLLBACK');
    throw new MigrationError(`migration ${name} of schema ${schema} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
