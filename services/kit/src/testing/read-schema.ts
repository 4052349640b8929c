import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../db/migrate.ts';
import { createLogger } from '../log/logger.ts';
import { createTestDatabase } from './database.ts';
import { type Tables, readDatabaseIndexes, readPrismaIndexes, readDatabaseTables, readPrismaTables } from './schema-tables.ts';

/** Tables and indexes of a schema, in a form that can be compared. */
export interface SchemaShape {
  tables: Tables;
  /** As `table(columns)`, in order. */
  indexes: string[];
}

/** The schema as schema.prisma describes it and as the migrations create it. */
export interface SchemaFacts {
  /** From schema.prisma. */
  described: SchemaShape;
  /** From a migrated database. */
  actual: SchemaShape;
  /** The migrations that a second run applied. */
  appliedAgain: string[];
}

/** Migrates a temporary database and reads both. schema.prisma is next to the folder of the migrations. */
export async function readSchema({ schema, migrations }: { schema: string; migrations: URL }): Promise<SchemaFacts> {
  const prisma = await readFile(new URL('../schema.prisma', migrations), 'utf8');
  const database = await createTestDatabase();
  const sql = new pg.Pool({ connectionString: database.url, max: 1 });
  const log = createLogger({ service: 'schema-test', level: 'silent' });
  const run = () => migrate({ url: database.url, schema, folder: migrations, log });
  try {
    await run();
    return {
      described: { tables: readPrismaTables(prisma), indexes: readPrismaIndexes(prisma) },
      actual: { tables: await readDatabaseTables(sql, schema), indexes: await readDatabaseIndexes(sql, schema) },
      appliedAgain: await run(),
    };
  } finally {
    await sql.end();
    await database.drop();
  }
}
