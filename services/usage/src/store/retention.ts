import { inBatches } from '@parley/kit/lifecycle/in-batches';
import { type Recurring, startRecurring } from '@parley/kit/lifecycle/recurring';
import { type Logger } from '@parley/kit/log/logger';
import type pg from 'pg';

const DAY = 86_400_000;

/**
 * How long rows are kept, in milliseconds; counters of quotas long enough that no clock that is set takes one away before its window is over.
 * Records outlive every message of the event stream, or a late redelivery would count twice.
 */
const KEPT = [
  { table: 'usage_record', column: 'occurred_at', ms: 35 * DAY },
  { table: 'hourly_rollup', column: 'hour', ms: 3 * DAY },
  { table: 'daily_rollup', column: 'day', ms: 400 * DAY },
  { table: 'quota_counter', column: 'ends_at', ms: DAY },
  { table: 'quota_lease', column: 'ends_at', ms: DAY },
] as const;

const BATCH = 5_000;

/**
 * Deletes what is past its time and gives how many rows that were. In small bites, so that it never holds locks for long, and past rows
 * that somebody else has locked, so that replicas that sweep at once share the work and nobody waits for them.
 */
export async function sweep(pool: pg.Pool, now: Date, signal?: AbortSignal): Promise<number> {
  let swept = 0;
  for (const { table, column, ms } of KEPT) {
    const before = new Date(now.getTime() - ms).toISOString();
    const bite = async (size: number) => {
      const old = `SELECT ctid FROM ${table} WHERE ${column} < $1::timestamptz ORDER BY ${column} LIMIT ${size} FOR UPDATE SKIP LOCKED`;
      const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old}))`, [before]);
      return rowCount ?? 0;
    };
    swept += await inBatches(BATCH, bite, signal);
  }
  return swept;
}

const HOUR = 3_600_000;

/** Sweeps now and every hour, in the background; a sweep that fails is logged and the next one does its work. */
export function startSweeping({ pool, log, now }: { pool: pg.Pool; log: Logger; now: () => Date }): Recurring {
  return startRecurring(
    async (signal) => {
      const swept = await sweep(pool, now(), signal);
      if (swept > 0) log.info({ swept }, 'old usage deleted');
    },
    { everyMs: HOUR, failed: (err) => log.warn({ err }, 'old usage could not be deleted') },
  );
}
