import { mapDatabaseError } from '@parley/kit/db/database-error';
import { openPool } from '@parley/kit/db/pool';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The PostgreSQL schema of this service. */
export const SCHEMA = 'conversation';

/** Its migrations; the path is the same from `src` and `dist`. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** Connection pools of the schema. */
export interface Database {
  /** For turns: few connections, prepared statements, fixed plans. */
  turnPool: Pool;
  /** For rare or large queries. */
  generalPool: Pool;
  /** Uses the general pool. */
  prisma: PrismaClient;
  close(): Promise<void>;
}

/**
 * The statements of turns take arrays, whose length the planner estimates as ten, and are prepared while tables may be empty. By default it
 * plans each execution again (1–2 ms) or keeps a sequential scan that suits an empty table. With these settings it plans once and only
 * uses index lookups.
 */
const FIXED_PLANS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };

/** Opens the pools; does not require a reachable database. */
export function openDatabase(url: string, log: Logger): Database {
  const turnPool = openPool({
    url: withSettings(url, FIXED_PLANS),
    schema: SCHEMA,
    log,
    applicationName: 'conversation',
    // One of them may write a large turn.
    max: 9,
    waitMs: 2_000,
    statementTimeoutMs: 2_000,
  });
  const generalPool = openPool({ url, schema: SCHEMA, log, applicationName: 'conversation-cold', max: 4, waitMs: 2_000 });
  const prisma = new PrismaClient({ adapter: new PrismaPg(generalPool, { schema: SCHEMA }) });
  return {
    turnPool,
    generalPool,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([turnPool.end(), generalPool.end()]);
    },
  };
}

/** Adds server settings for every connection to the URL; `options` in a URL replaces the pool's own, including the search path. */
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

/** Runs Prisma calls. @throws GatewayError SERVICE_UNAVAILABLE when the database is unavailable. */
export async function queryPrisma<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Prisma wraps an error of the pool and keeps only its code.
    if (error instanceof Error && 'code' in error && error.code === 'SERVICE_UNAVAILABLE') {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available', { cause: error });
    }
    throw mapDatabaseError(error);
  }
}
