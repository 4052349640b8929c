import { mapDatabaseError } from '@parley/kit/db/database-error';
import { openPool } from '@parley/kit/db/pool';
import { type Logger } from '@parley/kit/log/logger';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The PostgreSQL schema of this service. */
export const SCHEMA = 'asset';

/** Folder of its migrations; the path is the same from `src` and `dist`. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** Connections to the schema. */
export interface Database {
  /** Used for writes. */
  pool: Pool;
  /** Used for reads; uses the same pool. */
  prisma: PrismaClient;
  close(): Promise<void>;
}

/** Opens the pool; does not require a reachable database. */
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
export async function queryPrisma<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mapDatabaseError(error);
  }
}
