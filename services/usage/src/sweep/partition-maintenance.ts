import { openMaintenanceRunner } from '@parley/kit/db/maintenance-runner';
import { partitionByMonth } from '@parley/kit/db/monthly-partitions';
import { startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { type Logger } from '@parley/kit/log/logger';
import { SCHEMA } from '../store/database.ts';
import { dropExpiredMonths } from '../store/retention.ts';
import { USAGE_RECORD_TABLE } from '../store/usage-record-table.ts';

interface PartitionMaintenanceDeps {
  databaseUrl: string;
  log: Logger;
  now: () => Date;
}

/** The running maintenance of the monthly partitions of records. */
export interface PartitionMaintenance {
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
}

const HOUR = 3_600_000;

/** Partitions records by month and drops expired months, now and every hour, in the background; logs a failure and tries again. */
export function startPartitionMaintenance({ databaseUrl: url, log, now }: PartitionMaintenanceDeps): PartitionMaintenance {
  const maintenance = openMaintenanceRunner({ url, schema: SCHEMA, log });
  const round = async () => {
    await maintenance.tryRun(async (pool) => {
      await partitionByMonth(pool, USAGE_RECORD_TABLE, now());
      const dropped = await dropExpiredMonths(pool, now());
      if (dropped > 0) log.info({ dropped }, 'old months of usage dropped');
    });
  };
  const rounds = startRecurringTask(round, {
    everyMs: HOUR,
    failed: (err) => log.warn({ err }, 'months of usage are left to the next round'),
  });
  return {
    stop: async () => {
      await rounds.stop();
      await maintenance.close();
    },
  };
}
