import { openPool } from '@parley/kit/db/pool';
import type { Logger } from '@parley/kit/log/logger';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The schema this service owns. */
export const SCHEMA = 'actions';

/** Its migrations, found from `src` and `dist` alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** How the service reaches its schema. */
export interface Database {
  /** For what changes something. */
  pool: Pool;
  /** For what only reads; over the same pool. */
  prisma: PrismaClient;
  close(): Promise<void>;
}

/** Opens the pool; needs no database to do so. */
export function openDatabase(url: string, log: Logger): Database {
  const pool = openPool({ url, schema: SCHEMA, log, applicationName: 'actions' });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }) });
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
