import { type RecurringTask, startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { type Store } from '../store/store.ts';
import { type SweepDeps, sweepExpiredAssets, sweepExpiredInputs, sweepOrphanedBlobs } from './sweep.ts';

const EVERY_MS = 600_000;
/** Searching for orphans lists the whole store, so only one round in six does it. */
const ORPHAN_ROUNDS = 6;

/** Deletes expired data now and every ten minutes, in the background; logs a failure and tries again in the next round. */
export function startSweeper(deps: SweepDeps & { store: Store }): RecurringTask {
  const { log } = deps;
  let round = 0;
  return startRecurringTask(
    async (signal) => {
      const expired = await sweepExpiredAssets(deps, signal);
      const inputs = await sweepExpiredInputs(deps, signal);
      const orphans = round++ % ORPHAN_ROUNDS === 0 ? await sweepOrphanedBlobs(deps, signal) : 0;
      if (expired + inputs + orphans > 0) log.info({ expired, inputs, orphans }, 'old assets swept');
    },
    { everyMs: EVERY_MS, failed: (err) => log.warn({ err }, 'old assets could not be swept') },
  );
}
