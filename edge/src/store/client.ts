import { databaseError, isDatabaseUnavailable } from '@parley/kit/db/database-error';
import { GatewayError } from '@parley/protos/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The edge's schema. */
export const SCHEMA = 'edge';

/** Its migrations, found from `src` and `dist` alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

const RETRY_MS = 1_000;

/** The generated client over the edge's own pool. */
export type Database = PrismaClient;

/** Opens the client; it connects with its first query. */
export function openDatabase(pool: pg.Pool): Database {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }), errorFormat: 'minimal' });
}

/** Prisma wraps what the pool throws and keeps only its code; P2028 is its code for a transaction that could not begin in time. */
const UNAVAILABLE: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'P2028'];

/** A raw statement in a transaction fails with what the driver has thrown, in `meta`. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const { meta } = error as { meta?: { driverAdapterError?: unknown } };
  return UNAVAILABLE.includes(error.code) || isDatabaseUnavailable(meta?.driverAdapterError);
}

/** The result of a query; rejects with SERVICE_UNAVAILABLE when the database does not answer. */
export async function runQuery<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    if (isUnavailable(error)) {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available', { cause: error, retryAfterMs: RETRY_MS });
    }
    throw databaseError(error);
  }
}
