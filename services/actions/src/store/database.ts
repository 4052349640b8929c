import { openPool } from '@parley/kit/db/pool';
import { type Logger } from '@parley/kit/log/logger';
import type { Pool } from 'pg';

/** The schema this service owns. */
export const SCHEMA = 'actions';

/** Its migrations, found from `src` and `dist` alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** How the service reaches its schema. */
export interface Database {
  pool: Pool;
  close(): Promise<void>;
}

/** Opens the pool; needs no database to do so. */
export function openDatabase(url: string, log: Logger): Database {
  const pool = openPool({ url, schema: SCHEMA, log, applicationName: 'actions' });
  return { pool, close: () => pool.end() };
}
