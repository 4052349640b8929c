import { GatewayError } from '@parley/protos/errors';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type MigrateMode } from '../config/migrate-mode.ts';
import { connectClient } from './connect-client.ts';
import { isDatabaseUnavailable } from './database-error.ts';
import { listPendingMigrations, MIGRATIONS_TABLE } from './list-pending-migrations.ts';
import { migrate, type MigrateOptions } from './migrate.ts';
import { readMigrations } from './migration-files.ts';

/** How a service gets a migrated schema. */
export interface PrepareSchemaOptions extends MigrateOptions {
  /** `never` waits until another process has applied the migrations; any other mode applies them. @default 'start' */
  mode?: MigrateMode | undefined;
  /** How long `never` waits, in milliseconds. @default 300000 */
  waitMs?: number;
}

const WAIT_MS = 300_000;
const LOOK_MS = 500;

/**
 * Resolves when the schema has every migration of the folder.
 * @throws MigrationError when the files and the applied migrations do not match; SERVICE_UNAVAILABLE when the database is not available, or
 * with `never` when migrations are still missing after `waitMs`.
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
      (await hasJournal(client, schema)) ? listPendingMigrations(client, schema, migrations, log) : migrations,
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

/** Runs `ask` on a new connection; retries while the database is not available. */
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

/** Whether the table of migrations exists, by the catalog, which needs no privileges: the schema or the table may not exist yet. */
async function hasJournal(client: pg.Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = $2', [
    schema,
    MIGRATIONS_TABLE,
  ]);
  return rowCount === 1;
}
