import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database that belongs to one test file. */
export interface TestDatabase {
  /** Its URL, for `openPool` and `migrate`. */
  url: string;
  /** Closes what is still connected and removes it. */
  drop(): Promise<void>;
}

/** Creates an empty database on the server that `DATABASE_URL` names. @throws when the variable is missing. */
export async function createTestDatabase(serverUrl = process.env.DATABASE_URL): Promise<TestDatabase> {
  if (!serverUrl) throw new Error('DATABASE_URL is not set: integration tests need a PostgreSQL server');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
