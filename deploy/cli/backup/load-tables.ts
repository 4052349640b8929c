import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { CliError } from '../cli-error.ts';
import { toColumnList, toQualifiedTableName, readMigrationNames } from './dump-tables.ts';
import { type BackupTable, type Manifest, toTableFilePath } from './manifest.ts';
import { createSchemas, SCHEMAS } from './schemas.ts';

/**
 * Creates the schemas in an empty database and loads the tables of a backup, all or none of them.
 * @throws CliError when the database is in use or the backup belongs to another version
 */
export async function loadTables(url: string, folder: string, { tables, migrations }: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'parley restore' });
  await client.connect();
  try {
    await requireEmpty(client);
    await createSchemas(url);
    requireSameVersion(migrations, await readMigrationNames(client));
    await client.query('BEGIN');
    // Migrations may have inserted rows, which the backup has as well.
    await client.query(`TRUNCATE ${tables.map((table) => toQualifiedTableName(client, table)).join(', ')}`);
    for (const table of await inOrder(client, tables)) {
      const rows = client.query(copyFrom(`COPY ${toQualifiedTableName(client, table)} (${toColumnList(client, table)}) FROM STDIN`));
      await pipeline(createReadStream(toTableFilePath(folder, table)), createGunzip(), rows);
      if (rows.rowCount !== table.rows) throw new CliError(`${toTableFilePath(folder, table)} is damaged`, { code: 'BAD_BACKUP' });
    }
    await client.query('COMMIT');
    await client.query('ANALYZE');
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = ANY($1)', [SCHEMAS]);
  if (rowCount)
    throw new CliError('the database has tables of Parley already; a backup is restored into an empty one', { code: 'NOT_EMPTY' });
}

function requireSameVersion(wanted: Manifest['migrations'], present: Manifest['migrations']): void {
  for (const schema of SCHEMAS) {
    const [one, other] = [wanted[schema] ?? [], present[schema] ?? []];
    if (one.join() === other.join()) continue;
    throw new CliError(
      `the backup is of a version with other tables (schema ${schema}: ${one.at(-1)}, here ${other.at(-1)}); restore it with the version that made it, then upgrade`,
      { code: 'OTHER_VERSION' },
    );
  }
}

/** Tables that others refer to come first. */
async function inOrder(client: pg.Client, tables: readonly BackupTable[]): Promise<BackupTable[]> {
  const { rows } = await client.query<{ table: string; refers: string }>(
    `SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS refers FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid`,
  );
  const pending = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const ordered: BackupTable[] = [];
  while (pending.size > 0) {
    const ready = [...pending].filter(([name]) => !rows.some(({ table, refers }) => table === name && pending.has(refers)));
    if (ready.length === 0) throw new CliError('tables refer to each other in a circle', { code: 'BAD_BACKUP' });
    for (const [name, table] of ready) {
      pending.delete(name);
      ordered.push(table);
    }
  }
  return ordered;
}
