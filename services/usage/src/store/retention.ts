import { dropMonthPartition, listMonthPartitions, listNonMonthlyPartitions } from '@parley/kit/db/monthly-partitions';
import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import type { Pool } from 'pg';
import { type Store } from './store.ts';
import { USAGE_RECORD_TABLE } from './usage-record-table.ts';

const DAY = 86_400_000;

/**
 * Retention of rows in milliseconds. Quota counters stay long enough that an adjusted clock does not delete one before its window ends.
 * Records outlive every message of the event stream: otherwise a late redelivery would count twice.
 */
const RECORDS_MS = 35 * DAY;
const RETENTION = [
  { table: 'hourly_rollup', column: 'hour', ms: 3 * DAY },
  { table: 'daily_rollup', column: 'day', ms: 400 * DAY },
  { table: 'connection_rollup', column: 'hour', ms: 32 * DAY },
  { table: 'daily_sketch', column: 'day', ms: 32 * DAY },
  { table: 'quota_counter', column: 'ends_at', ms: DAY },
  { table: 'quota_lease', column: 'ends_at', ms: DAY },
] as const;

const BATCH = 5_000;

/** Drops the months of records that have expired; returns their number. */
export async function dropExpiredMonths(pool: Pool, now: Date): Promise<number> {
  const old = (await listMonthPartitions(pool, USAGE_RECORD_TABLE)).filter(({ until }) => until.getTime() + RECORDS_MS < now.getTime());
  for (const month of old) await dropMonthPartition(pool, [USAGE_RECORD_TABLE], month);
  return old.length;
}

/**
 * Deletes expired rows, except records in monthly partitions, and returns their number. Works in small batches, so that it holds locks only
 * briefly, and skips locked rows, so that concurrent replicas share the work.
 */
export async function deleteExpiredRows({ database }: Store, now: Date, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  const records = (await listNonMonthlyPartitions(database.pool, USAGE_RECORD_TABLE)).map((table) => ({
    table,
    column: USAGE_RECORD_TABLE.column,
    ms: RECORDS_MS,
  }));
  for (const { table, column, ms } of [...records, ...RETENTION]) {
    const before = new Date(now.getTime() - ms).toISOString();
    const deleteBatch = async (size: number) => {
      const old = `SELECT ctid FROM ${table} WHERE ${column} < $1::timestamptz ORDER BY ${column} LIMIT ${size} FOR UPDATE SKIP LOCKED`;
      const { rowCount } = await database.pool.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old}))`, [before]);
      return rowCount ?? 0;
    };
    deleted += await runInBatches(BATCH, deleteBatch, signal);
  }
  return deleted;
}
