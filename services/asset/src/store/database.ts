import { databaseError } from '@parley/kit/db/database-error';
import { openPool } from '@parley/kit/db/pool';
import { type Logger } from '@parley/kit/log/logger';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The schema this service owns. */
export const SCHEMA = 'asset';

/** Its migrations, found from `src` and `dist` alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** How the service reaches its schema. */
export interface Database {
  /** For writes. */
  pool: Pool;
  /** For reads; over the same pool. */
  prisma: PrismaClient;
  close(): Promise<void>;
}

/** Opens the pool; needs no database to do so. */
export function openDatabase(url: string, log: Logger): Database {
  const pool = openPool({ url, schema: SCHEMA, log, applicationName: 'asset' });
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

/** Runs Prisma calls. @throws GatewayError SERVICE_UNAVAILABLE when the database is not available. */
export async function runQuery<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw databaseError(error);
  }
}
