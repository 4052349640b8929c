import { openMaintenanceRunner } from '@parley/kit/db/maintenance-runner';
import { dropMonthPartition, listMonthPartitions, partitionByMonth } from '@parley/kit/db/monthly-partitions';
import { startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { type Logger } from '@parley/kit/log/logger';
import type { Pool } from 'pg';
import { SCHEMA } from '../store/database.ts';
import {
  purgeDeletedConversations,
  softDeleteIdleConversations,
  isPartitionUnused,
  moveRowsOutOfPartitions,
} from '../store/expired-conversations.ts';
import { MONTHLY_TABLES, TURNS_TABLE } from '../store/monthly-tables.ts';
import { type Store } from '../store/store.ts';

/** Partitioning of the tables, and retention of conversations. */
export interface Retention {
  /** Whether the tables that grow with every turn are partitioned by month. */
  hasMonthlyPartitions: boolean;
  /** Idle time in milliseconds after which conversations are deleted; undefined to keep all. */
  retentionMs: number | undefined;
}

interface RetentionDeps extends Retention {
  databaseUrl: string;
  store: Store;
  log: Logger;
}

/** The running background work on partitions and old conversations. */
export interface RunningRetention {
  /** Stops the round in progress at its next step; resolves when it has ended. */
  stop(): Promise<void>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Partitions tables by month and deletes old conversations, as far as configured, in the background: now and every hour. Failures are
 * logged and retried.
 */
export function startRetention(deps: RetentionDeps): RunningRetention {
  if (!deps.hasMonthlyPartitions && deps.retentionMs === undefined) return { stop: () => Promise.resolve() };
  const { databaseUrl: url, log } = deps;
  const maintenance = openMaintenanceRunner({ url, schema: SCHEMA, log });
  const rounds = startRecurringTask((signal) => maintenance.tryRun((pool) => runRound(pool, deps, signal)).then(() => undefined), {
    everyMs: HOUR,
    failed: (err) => log.warn({ err }, 'months and old conversations are left to the next round'),
  });
  return {
    stop: async () => {
      await rounds.stop();
      await maintenance.close();
    },
  };
}

async function runRound(pool: Pool, { store, hasMonthlyPartitions, retentionMs, log }: RetentionDeps, signal: AbortSignal): Promise<void> {
  await store.clock.sync();
  if (hasMonthlyPartitions) for (const table of MONTHLY_TABLES) await partitionByMonth(pool, table, store.clock.now());
  if (retentionMs === undefined) return;
  const expired = await softDeleteIdleConversations(store, retentionMs, signal);
  const deleted = await purgeDeletedConversations(store, signal);
  const dropped = await dropMonths(pool, store, retentionMs, signal);
  if (expired + deleted + dropped.length > 0) log.info({ expired, deleted, dropped }, 'old conversations deleted');
}

/** Moves the rows of existing conversations out of expired monthly partitions, then drops those partitions. Returns their names. */
async function dropMonths(pool: Pool, { clock }: Store, retentionMs: number, signal: AbortSignal): Promise<string[]> {
  const dropped: string[] = [];
  for (const month of await listMonthPartitions(pool, TURNS_TABLE)) {
    const since = clock.now();
    // One more day, in which the last of its conversations expire and their turns end.
    if (signal.aborted || month.until.getTime() + retentionMs + DAY > since.getTime()) break;
    await moveRowsOutOfPartitions(pool, month.until, signal);
    if (signal.aborted) break;
    if (await dropMonthPartition(pool, MONTHLY_TABLES, month, (client) => isPartitionUnused(client, month, since)))
      dropped.push(month.name);
  }
  return dropped;
}
