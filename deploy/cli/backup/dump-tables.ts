import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type BackupTable, type Manifest, toTableFilePath } from './manifest.ts';
import { MIGRATIONS_TABLE, SCHEMAS } from './schemas.ts';

/** A table that is partitioned by month (ADR 0065) is one table in a backup. */
const TABLES = `
SELECT c.relnamespace::regnamespace::text AS schema, c.relname AS name,
  (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace::regnamespace::text = ANY($1) ORDER BY 1, 2`;

/** Writes every table into the folder, in one snapshot, while Parley goes on writing. */
export async function dumpTables(url: string, folder: string): Promise<Pick<Manifest, 'tables' | 'migrations'>> {
  const client = new pg.Client({ connectionString: url, application_name: 'parley backup' });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const migrations = await readMigrationNames(client);
    const { rows: found } = await client.query<Omit<BackupTable, 'rows'>>(TABLES, [SCHEMAS]);
    const tables: BackupTable[] = [];
    for (const table of found.filter(({ name }) => name !== MIGRATIONS_TABLE)) {
      tables.push({ ...table, rows: await dumpTable(client, folder, table) });
    }
    await client.query('COMMIT');
    return { migrations, tables };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Names of the applied migrations of every schema, in their order. */
export async function readMigrationNames(client: pg.Client): Promise<Record<string, string[]>> {
  const names: Record<string, string[]> = {};
  for (const schema of SCHEMAS) {
    const table = `${client.escapeIdentifier(schema)}.${MIGRATIONS_TABLE}`;
    const { rows } = await client.query<{ name: string }>(
      `SELECT migration_name AS name FROM ${table} WHERE finished_at IS NOT NULL ORDER BY migration_name`,
    );
    names[schema] = rows.map(({ name }) => name);
  }
  return names;
}

/** Returns the quoted name of a table: `"schema"."table"`. */
export function toQualifiedTableName(client: pg.Client, { schema, name }: Pick<BackupTable, 'schema' | 'name'>): string {
  return `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
}

/** Returns the quoted columns of a table, in the order of its file: `"column", …`. */
export function toColumnList(client: pg.Client, { columns }: Pick<BackupTable, 'columns'>): string {
  return columns.map((column) => client.escapeIdentifier(column)).join(', ');
}

async function dumpTable(client: pg.Client, folder: string, table: Omit<BackupTable, 'rows'>): Promise<number> {
  // Of a partitioned table COPY takes a query only.
  const rows = client.query(copyTo(`COPY (SELECT ${toColumnList(client, table)} FROM ${toQualifiedTableName(client, table)}) TO STDOUT`));
  await pipeline(rows, createGzip(), createWriteStream(toTableFilePath(folder, table), { mode: 0o600 }));
  return rows.rowCount;
}
