import type pg from 'pg';
import { type Logger } from '../log/logger.ts';
import { type Migration } from './migration-files.ts';

/** The database and the migration files do not match, or a migration failed; an operator has to resolve it. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Prisma's table of the migrations that were applied to a schema. */
export const MIGRATIONS_TABLE = '_prisma_migrations';

interface MigrationRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/**
 * Returns the migrations that are not in the schema's table of applied migrations; logs a warning for migrations of a newer release.
 * @throws MigrationError when the file of an applied migration was changed, or a migration was started and not finished
 */
export async function listPendingMigrations(
  client: pg.Client,
  schema: string,
  migrations: readonly Migration[],
  log: Logger,
): Promise<Migration[]> {
  const journal = `${client.escapeIdentifier(schema)}.${MIGRATIONS_TABLE}`;
  const { rows } = await client.query<MigrationRow>(
    `SELECT migration_name, checksum, finished_at FROM ${journal} WHERE rolled_back_at IS NULL ORDER BY started_at`,
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
