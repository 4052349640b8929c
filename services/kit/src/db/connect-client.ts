import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { mapDatabaseError, isDatabaseUnavailable } from './database-error.ts';

const RETRY_MS = 250;

/**
 * Connects one client; retries for up to `startMs` milliseconds while the database is not available.
 * @throws SERVICE_UNAVAILABLE when it is still not available then
 */
export async function connectClient(url: string, startMs: number): Promise<pg.Client> {
  const deadline = performance.now() + startMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url, application_name: 'migrate', connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw mapDatabaseError(error);
      await delay(RETRY_MS);
    }
  }
}
