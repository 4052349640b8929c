import { databaseError } from '@parley/kit/db/database-error';
import { openPool } from '@parley/kit/db/pool';
import type { Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The schema this service owns. */
export const SCHEMA = 'conversation';

/** Its migrations, found from `src` and `dist` alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** How the service reaches its schema. */
export interface Database {
  /** For the turn: few connections, prepared statements, fixed plans. */
  hot: Pool;
  /** For what is asked rarely or reads much. */
  cold: Pool;
  /** Over the cold pool. */
  prisma: PrismaClient;
  close(): Promise<void>;
}

/**
 * The turn's statements take arrays whose length the planner guesses at ten, and are prepared while tables may be empty. Left to itself it
 * plans each execution anew (1–2 ms) or keeps a sequential scan that suits an empty table. With these settings it plans once, and index
 * lookups are the only choice.
 */
const FIXED_PLANS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };

/** Opens the pools; needs no database to do so. */
export function openDatabase(url: string, log: Logger): Database {
  const hot = openPool({
    url: withSettings(url, FIXED_PLANS),
    schema: SCHEMA,
    log,
    applicationName: 'conversation',
    max: 8,
    waitMs: 2_000,
    statementTimeoutMs: 2_000,
  });
  const cold = openPool({ url, schema: SCHEMA, log, applicationName: 'conversation-cold', max: 4, waitMs: 2_000 });
  const prisma = new PrismaClient({ adapter: new PrismaPg(cold, { schema: SCHEMA }) });
  return {
    hot,
    cold,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([hot.end(), cold.end()]);
    },
  };
}

/** The URL with server settings for every connection; what a URL says as `options` stands in for the pool's own, search path included. */
function withSettings(url: string, settings: Readonly<Record<string, string>>): string {
  const result = new URL(url);
  const all = { search_path: SCHEMA, ...settings };
  result.searchParams.set(
    'options',
    Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  );
  return result.href;
}

/** Runs Prisma calls. @throws GatewayError SERVICE_UNAVAILABLE when the database cannot be asked. */
export async function queryPrisma<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What the pool throws comes out as an error of Prisma's that has kept nothing but its code.
    if (error instanceof Error && 'code' in error && error.code === 'SERVICE_UNAVAILABLE') {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available', { cause: error });
    }
    throw databaseError(error);
  }
}
