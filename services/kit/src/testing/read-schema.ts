import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../db/migrate.ts';
import { createLogger } from '../log/logger.ts';
import { createTestDatabase } from './database.ts';
import { type Tables, indexesOfDatabase, indexesOfPrisma, tablesOfDatabase, tablesOfPrisma } from './schema-tables.ts';

/** Tables and indexes of a schema, in a form in which they can be compared. */
export interface SchemaShape {
  tables: Tables;
  /** As `table(columns)`, in order. */
  indexes: string[];
}

/** What a service says of its schema, and what its migrations make of it. */
export interface SchemaFacts {
  /** By schema.prisma. */
  described: SchemaShape;
  /** In a database that was migrated. */
  actual: SchemaShape;
  /** The migrations that were applied when they were run again. */
  appliedAgain: string[];
}

/** Migrates a database of its own, which is gone afterwards; schema.prisma lies beside the folder of the migrations. */
export async function readSchema({ schema, migrations }: { schema: string; migrations: URL }): Promise<SchemaFacts> {
  const prisma = await readFile(new URL('../schema.prisma', migrations), 'utf8');
  const database = await createTestDatabase();
  const sql = new pg.Pool({ connectionString: database.url, max: 1 });
  const log = createLogger({ service: 'schema-test', level: 'silent' });
  const run = () => migrate({ url: database.url, schema, folder: migrations, log });
  try {
    await run();
    return {
      described: { tables: tablesOfPrisma(prisma), indexes: indexesOfPrisma(prisma) },
      actual: { tables: await tablesOfDatabase(sql, schema), indexes: await indexesOfDatabase(sql, schema) },
      appliedAgain: await run(),
    };
  } finally {
    await sql.end();
    await database.drop();
  }
}
