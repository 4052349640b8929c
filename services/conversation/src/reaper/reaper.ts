import type { Logger } from '@parley/kit/log/logger';
import { saveProgress, listAbandonedTurns } from '../store/abandoned-turns.ts';
import { deleteLeftoverPartials } from '../store/partials.ts';
import { deleteRunner, listTimedOutRunners } from '../store/runners.ts';
import type { Store } from '../store/store.ts';
import { closeAll, closeRunnerTurns } from './close-abandoned.ts';

/** A reaper that runs. */
export interface Reaper {
  /** Resolves when the round under way is over. */
  stop(): Promise<void>;
}

/** Looking for turns without any runner reads all recent turns, and they are rare: one round in six does. */
const ABANDONED_ROUNDS = 6;

/**
 * Closes the turns that a crash left open: every `intervalMs` those of runners that fell silent, now and then those of runners that
 * nobody knows. Any number of replicas may do this; the insert of a turn's end decides who did.
 */
export function startReaper(store: Store, intervalMs: number, log: Logger): Reaper {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let stopped = false;
  let round = 0;
  const next = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = reap(store, round++ % ABANDONED_ROUNDS === 0, log).then(next);
    }, intervalMs);
    timer.unref();
  };
  next();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}

/** One round. A database that is away is no news here: whoever needs it says so. */
async function reap(store: Store, withAbandoned: boolean, log: Logger): Promise<void> {
  try {
    await store.clock.sync();
    const silent = await closeTimedOutRunners(store);
    const strays = withAbandoned ? await closeAbandonedTurns(store) : 0;
    if (silent + strays > 0) log.warn({ silent, strays }, 'closed turns that were left open');
  } catch (err) {
    log.warn({ err }, 'the reaper could not finish its round');
  }
}

async function closeTimedOutRunners(store: Store): Promise<number> {
  const { cold } = store.database;
  const { runnerTimeoutMs } = store.liveness;
  let closed = 0;
  for (const runnerId of await listTimedOutRunners(cold, runnerTimeoutMs)) {
    closed += await closeRunnerTurns(store, runnerId);
    await deleteRunner(cold, runnerId, runnerTimeoutMs);
  }
  return closed;
}

async function closeAbandonedTurns(store: Store): Promise<number> {
  const { cold } = store.database;
  const closed = await closeAll(store, () => listAbandonedTurns(cold, store.liveness));
  await deleteLeftoverPartials(cold);
  await saveProgress(cold);
  return closed;
}
