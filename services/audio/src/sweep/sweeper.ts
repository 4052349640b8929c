import { type RecurringTask, startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { type SweepDeps, sweepExpiredAudio, sweepOrphanedBlobs } from './sweep.ts';

const EVERY_MS = 600_000;
/** Searching for orphans lists the whole store, so only one round in six does it. */
const ORPHAN_ROUNDS = 6;

/** Deletes expired data now and every ten minutes, in the background; logs a failure and tries again in the next round. */
export function startSweeper(deps: SweepDeps): RecurringTask {
  const { log } = deps;
  let round = 0;
  return startRecurringTask(
    async (signal) => {
      const expired = await sweepExpiredAudio(deps, signal);
      const orphans = round++ % ORPHAN_ROUNDS === 0 ? await sweepOrphanedBlobs(deps, signal) : 0;
      if (expired + orphans > 0) log.info({ expired, orphans }, 'old speech swept');
    },
    { everyMs: EVERY_MS, failed: (err) => log.warn({ err }, 'old speech could not be swept') },
  );
}
