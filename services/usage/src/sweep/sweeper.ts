import { type RecurringTask, startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import { type Logger } from '@parley/kit/log/logger';
import { deleteExpiredRows } from '../store/retention.ts';
import { mergeHoursIntoDays, mergeSamplesIntoHours, HOURLY_SKETCH_BATCH_SIZE, SAMPLE_BATCH_SIZE } from '../store/sketches.ts';
import { type Store } from '../store/store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long hourly sketches are kept, in milliseconds: the report of 24 hours needs them, and replicas' clocks may differ a little. */
const HOURS_KEPT_MS = DAY + 2 * HOUR;

/**
 * Merges samples into hours and hours into days, and deletes expired rows, now and every hour, in the background; logs a failure and
 * retries an hour later.
 */
export function startSweeper({ store, log, now }: { store: Store; log: Logger; now: () => Date }): RecurringTask {
  return startRecurringTask(
    async (signal) => {
      await aggregateSketches(store, now(), signal);
      const deleted = await deleteExpiredRows(store, now(), signal);
      if (deleted > 0) log.info({ swept: deleted }, 'old usage deleted');
    },
    { everyMs: HOUR, failed: (err) => log.warn({ err }, 'old usage could not be deleted') },
  );
}

/** Merges all samples into the sketches of their hours, and full days of hours that no report needs into those of their days. */
export async function aggregateSketches(store: Store, now: Date, signal?: AbortSignal): Promise<void> {
  await runInBatches(SAMPLE_BATCH_SIZE, () => mergeSamplesIntoHours(store), signal);
  const kept = now.getTime() - HOURS_KEPT_MS;
  await runInBatches(HOURLY_SKETCH_BATCH_SIZE, () => mergeHoursIntoDays(store, new Date(kept - (kept % DAY))), signal);
}
