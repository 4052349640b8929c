import { createTestDatabase } from '@parley/kit/testing/database';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A database with nothing in it, a connection to it, and a folder of migrations for the schema `example`. */
export interface ExampleSchema {
  url: string;
  client: pg.Client;
  folder: string;
  /** Writes a migration, or writes it anew. */
  write: (name: string, sql: string) => Promise<void>;
  /** Takes a migration away. */
  remove: (name: string) => Promise<void>;
  /** Drops the database and the folder. */
  close: () => Promise<void>;
}

/** Makes a database and a folder with these migrations: their SQL by their names. */
export async function openExampleSchema(migrations: Readonly<Record<string, string>>): Promise<ExampleSchema> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const write = async (name: string, sql: string) => {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  };
  for (const [name, sql] of Object.entries(migrations)) await write(name, sql);
  return {
    ...{ url: database.url, client, folder, write },
    remove: (name) => rm(join(folder, name), { recursive: true }),
    close: async () => {
      await client.end();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
