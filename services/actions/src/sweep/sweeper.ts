import { type RecurringTask, startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import { type Logger } from '@parley/kit/log/logger';
import { type Database } from '../store/database.ts';
import { deleteOldRuns } from '../store/delete-old-runs.ts';

const EVERY_MS = 600_000;
const BATCH = 200;

/** Dependencies of the sweeper. */
export interface SweepDeps {
  database: Database;
  /** How long runs are kept after their end, in milliseconds. */
  retentionMs: number;
  log: Logger;
}

/** Deletes old runs now and every ten minutes, in the background, in small batches that replicas share. */
export function startSweeper({ database, retentionMs, log }: SweepDeps): RecurringTask {
  return startRecurringTask(
    async (signal) => {
      const forgotten = await runInBatches(BATCH, (size) => deleteOldRuns(database, retentionMs, size), signal);
      if (forgotten > 0) log.info({ forgotten }, 'old runs forgotten');
    },
    { everyMs: EVERY_MS, failed: (err) => log.warn({ err }, 'old runs could not be forgotten') },
  );
}
