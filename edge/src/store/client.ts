import { mapDatabaseError, isDatabaseUnavailable } from '@parley/kit/db/database-error';
import { GatewayError } from '@parley/protos/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The PostgreSQL schema of the edge. */
export const SCHEMA = 'edge';

/** The folder of its migrations; the path is the same from `src` and `dist`. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

const RETRY_MS = 1_000;

/** The generated Prisma client of the edge. */
export type Database = PrismaClient;

/** Creates the client on a pool; it connects with its first query. */
export function openDatabase(pool: pg.Pool): Database {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }), errorFormat: 'minimal' });
}

/** Prisma wraps the error of the pool and keeps only its code; P2028 means that a transaction could not start in time. */
const UNAVAILABLE: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'P2028'];

/** True when the database did not answer. A raw statement in a transaction fails with the error of the driver, in `meta`. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const { meta } = error as { meta?: { driverAdapterError?: unknown } };
  return UNAVAILABLE.includes(error.code) || isDatabaseUnavailable(meta?.driverAdapterError);
}

/** Awaits a query and returns its result; rejects with SERVICE_UNAVAILABLE when the database does not answer. */
export async function runQuery<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    if (isUnavailable(error)) {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available', { cause: error, retryAfterMs: RETRY_MS });
    }
    throw mapDatabaseError(error);
  }
}
