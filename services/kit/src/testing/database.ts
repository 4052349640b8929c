import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { waitFor } from './wait-for.ts';

/** A database that belongs to one test file. */
export interface TestDatabase {
  /** Its URL, for `openPool` and `migrate`. */
  url: string;
  /** Closes remaining connections and drops the database. */
  drop(): Promise<void>;
}

const CLOSING_MS = 2_000;

/** Creates an empty database on the server that `DATABASE_URL` names. @throws when the variable is missing. */
export async function createTestDatabase(serverUrl = process.env.DATABASE_URL): Promise<TestDatabase> {
  if (!serverUrl) throw new Error('DATABASE_URL is not set: integration tests need a PostgreSQL server');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => withClient(serverUrl, (client) => drop(client, name)) };
}

/** Waits a moment for connections to close: a connection that the server ends would be an unhandled error of its owner. */
async function drop(client: pg.Client, name: string): Promise<void> {
  const isFree = async () => (await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])).rowCount === 0;
  await waitFor(isFree, { timeoutMs: CLOSING_MS }).catch(() => undefined);
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
