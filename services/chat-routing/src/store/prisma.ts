import { databaseError } from '@parley/kit/db/database-error';
import { GatewayError } from '@parley/protos/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type { PrismaClient } from '../generated/prisma/client.ts';

/** The schema this service owns. */
export const SCHEMA = 'routing';

/** Its migrations, found from `src` and `dist` alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** Opens the typed client for cold paths over the service's own pool, with its bounds. */
export function openPrisma(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }), errorFormat: 'minimal' });
}

/** Prisma wraps what the pool throws and keeps only its code; P2028 is its code for a transaction that could not begin in time. */
const UNAVAILABLE: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'P2028'];

/** Runs Prisma calls. Throws SERVICE_UNAVAILABLE when the database cannot be asked. */
export async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && UNAVAILABLE.includes(error.code) && !(error instanceof GatewayError)) {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available', { cause: error, retryAfterMs: 1_000 });
    }
    throw databaseError(error);
  }
}
