import { type Logger } from '@parley/kit/log/logger';
import { saveProgress, listAbandonedTurns } from '../store/abandoned-turns.ts';
import { deleteLeftoverPartials } from '../store/partials.ts';
import { deleteRunner, listTimedOutRunners } from '../store/runners.ts';
import { type Store } from '../store/store.ts';
import { closeAll, closeRunnerTurns } from './close-abandoned.ts';

/** A running reaper. */
export interface Reaper {
  /** Resolves when the current round is over. */
  stop(): Promise<void>;
}

/** Searching for turns with an unknown runner reads all recent turns, so only one round in six does. */
const ABANDONED_ROUNDS = 6;

/**
 * Closes turns that a crash left open: every `intervalMs` those of runners with missed heartbeats, and less often those of unknown
 * runners. Any number of replicas may run it; the insert of a turn's end decides which one closes it.
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

/** Runs one round. Only logs when the database is unavailable: calls and readiness report that. */
async function reap(store: Store, withAbandoned: boolean, log: Logger): Promise<void> {
  try {
    await store.clock.sync();
    const afterMissedHeartbeats = await closeTimedOutRunners(store);
    const abandoned = withAbandoned ? await closeAbandonedTurns(store) : 0;
    if (afterMissedHeartbeats + abandoned > 0) log.warn({ afterMissedHeartbeats, abandoned }, 'closed turns that were left open');
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
