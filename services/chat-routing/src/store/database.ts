import { mapDatabaseError } from '@parley/kit/db/database-error';
import { openPool } from '@parley/kit/db/pool';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The PostgreSQL schema of this service. */
export const SCHEMA = 'routing';

/** Its migrations; the path is the same from `src` and `dist`. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** Connections to the schema of this service. */
export interface Database {
  pool: pg.Pool;
  /** For rare queries, over the same pool. */
  prisma: PrismaClient;
  close(): Promise<void>;
}

/** Opens the pool; does not require a reachable database. */
export function openDatabase(url: string, log: Logger): Database {
  const pool = openPool({ url, schema: SCHEMA, log, applicationName: 'chat-routing' });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }), errorFormat: 'minimal' });
  const close = async () => {
    await prisma.$disconnect();
    await pool.end();
  };
  return { pool, prisma, close };
}

/** Prisma wraps what the pool throws and keeps only its code; P2028 is its code for a transaction that could not begin in time. */
const UNAVAILABLE: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'P2028'];

/** Runs Prisma calls. Throws SERVICE_UNAVAILABLE when the database is unavailable. */
export async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && UNAVAILABLE.includes(error.code) && !(error instanceof GatewayError)) {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available', { cause: error, retryAfterMs: 1_000 });
    }
    throw mapDatabaseError(error);
  }
}
