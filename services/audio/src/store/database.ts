import { openPool } from '@parley/kit/db/pool';
import { type Logger } from '@parley/kit/log/logger';
import type { Pool } from 'pg';

/** The PostgreSQL schema of this service. */
export const SCHEMA = 'audio';

/** Folder of its migrations; the path is the same from `src` and `dist`. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** Connections to the schema. */
export interface Database {
  pool: Pool;
  close(): Promise<void>;
}

/** Opens the pool; does not require a reachable database. */
export function openDatabase(url: string, log: Logger): Database {
  const pool = openPool({ url, schema: SCHEMA, log, applicationName: 'audio' });
  return { pool, close: () => pool.end() };
}
