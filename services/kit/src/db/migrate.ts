import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Logger } from '../log/logger.ts';
import { connectClient } from './connect-client.ts';
import { mapDatabaseError, isDatabaseUnavailable } from './database-error.ts';
import { listPendingMigrations, MIGRATIONS_TABLE, MigrationError } from './list-pending-migrations.ts';
import { type Migration, readMigrations } from './migration-files.ts';

/** The database and schema to migrate, and the folder of the migrations. */
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

/** Prisma's own advisory lock, so that `prisma migrate` and this runner never run at the same time. */
const LOCK = 72_707_369;
const LOCK_WAIT = '5min';

/** Prisma's table, column for column, so that `prisma migrate status` reads it. */
const CREATE_JOURNAL = `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
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
 * Applies the migrations that are missing in the schema, each in its own transaction, and resolves with their names. Safe when many
 * processes start at once: one migrates, the others wait.
 * @throws MigrationError when the file of an applied migration was changed, a migration was not finished, or its SQL fails;
 * SERVICE_UNAVAILABLE when the database is not available within `startMs`
 */
export async function migrate({ url, schema, folder, log, startMs = 30_000 }: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await connectClient(url, startMs);
  try {
    await prepare(client, schema);
    const missing = await listPendingMigrations(client, schema, migrations, log);
    for (const migration of missing) {
      await apply(client, schema, migration);
      log.info({ schema, migration: migration.name }, 'migration applied');
    }
    return missing.map(({ name }) => name);
  } catch (error) {
    throw mapDatabaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Takes Prisma's lock and creates the schema and the table of migrations. The session holds the lock: PostgreSQL releases it when the
 * connection closes.
 */
async function prepare(client: pg.Client, schema: string): Promise<void> {
  await client.query(`SET lock_timeout = '${LOCK_WAIT}'`);
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  await client.query('RESET lock_timeout');
  const name = client.escapeIdentifier(schema);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await client.query(`SET search_path TO ${name}`);
  await client.query(CREATE_JOURNAL);
}

async function apply(client: pg.Client, schema: string, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN');
  try {
    await client.query(
      `INSERT INTO ${MIGRATIONS_TABLE} (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())`,
      [id, checksum, name],
    );
    await client.query(sql);
    await client.query(`UPDATE ${MIGRATIONS_TABLE} SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1`, [id]);
    await client.query('COMMIT');
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    await client.query('ROLLBACK');
    throw new MigrationError(`migration ${name} of schema ${schema} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
