import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError } from '@parley/protos/errors';
import type pg from 'pg';
import { type MigrateMode } from '../config/migrate-mode.ts';
import { compareMigrations, MIGRATIONS_TABLE } from './compare-migrations.ts';
import { connectClient } from './connect-client.ts';
import { isDatabaseUnavailable } from './database-error.ts';
import { migrate, type MigrateOptions } from './migrate.ts';
import { readMigrations } from './migration-files.ts';

/** How a service comes to its schema. */
export interface PrepareSchemaOptions extends MigrateOptions {
  /** `never` waits for the migrations; anything else applies them. @default 'start' */
  mode?: MigrateMode | undefined;
  /** How long `never` waits for them, in milliseconds. @default 300000 */
  waitMs?: number;
}

const WAIT_MS = 300_000;
const LOOK_MS = 500;

/**
 * Resolves when the schema has every migration of the folder.
 * @throws MigrationError when files and journal disagree; SERVICE_UNAVAILABLE when the database stays away, or with `never` when migrations are still missing at the end of the wait.
 */
export async function prepareSchema({ mode = 'start', waitMs = WAIT_MS, ...options }: PrepareSchemaOptions): Promise<void> {
  if (mode === 'never') await awaitSchema(options, waitMs);
  else await migrate(options);
}

async function awaitSchema({ url, schema, folder, log, startMs = 30_000 }: MigrateOptions, waitMs: number): Promise<void> {
  const migrations = await readMigrations(folder);
  const deadline = performance.now() + waitMs;
  let waiting: string | undefined;
  for (;;) {
    const missing = await look(url, Math.min(startMs, waitMs), async (client) =>
      (await hasJournal(client, schema)) ? compareMigrations(client, schema, migrations, log) : migrations,
    );
    const names = missing.map(({ name }) => name);
    if (names.length === 0) return;
    if (performance.now() > deadline)
      throw new GatewayError(
        'SERVICE_UNAVAILABLE',
        `schema ${schema} lacks ${names.join(', ')}: run this process once with PARLEY_MIGRATE=only`,
      );
    if (waiting !== String(names)) log.info({ schema, missing: names }, 'waiting for migrations');
    waiting = String(names);
    await delay(LOOK_MS);
  }
}

/** A connection for each look: most processes need one, and a server that goes away in between is waited for. */
async function look<T>(url: string, startMs: number, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const deadline = performance.now() + startMs;
  for (;;) {
    const client = await connectClient(url, startMs);
    try {
      return await ask(client);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Asks the catalog, which needs no rights: the schema, or the journal in it, may not exist yet. */
async function hasJournal(client: pg.Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = $2', [
    schema,
    MIGRATIONS_TABLE,
  ]);
  return rowCount === 1;
}
