import { type Logger } from '@parley/kit/log/logger';
import { saveReaperProgress, listAbandonedTurns } from '../store/abandoned-turns.ts';
import { deletePartialsOfEndedTurns } from '../store/partials.ts';
import { deleteRunner, listTimedOutRunners } from '../store/runners.ts';
import { type Store } from '../store/store.ts';
import { closeFoundTurns, closeRunnerTurns } from './close-abandoned-turns.ts';

/** A running reaper. */
export interface Reaper {
  /** Stops the reaper; resolves when the current round has ended. */
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
  /** While the database is unavailable no runner can send heartbeats, so all runners get a new timeout when it is back. */
  let trustedAt = 0;
  const next = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      const search = { timedOut: performance.now() >= trustedAt, abandoned: round++ % ABANDONED_ROUNDS === 0 };
      running = reap(store, search, log).then((isDone) => {
        if (!isDone) trustedAt = performance.now() + store.abandonmentLimits.runnerTimeoutMs;
        next();
      });
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

/** What a round searches for. */
interface Search {
  /** Turns of runners with missed heartbeats. */
  timedOut: boolean;
  /** Turns of unknown runners. */
  abandoned: boolean;
}

/** Runs one round. Only logs and returns false when the database is unavailable: calls and readiness report that. */
async function reap(store: Store, search: Search, log: Logger): Promise<boolean> {
  try {
    await store.clock.sync();
    const afterMissedHeartbeats = search.timedOut ? await closeTimedOutRunners(store) : 0;
    const abandoned = search.timedOut && search.abandoned ? await closeAbandonedTurns(store) : 0;
    if (afterMissedHeartbeats + abandoned > 0) log.warn({ afterMissedHeartbeats, abandoned }, 'closed turns that were left open');
    return true;
  } catch (err) {
    log.warn({ err }, 'the reaper could not finish its round');
    return false;
  }
}

async function closeTimedOutRunners(store: Store): Promise<number> {
  const { generalPool } = store.database;
  const { runnerTimeoutMs } = store.abandonmentLimits;
  let closed = 0;
  for (const runnerId of await listTimedOutRunners(generalPool, runnerTimeoutMs)) {
    closed += await closeRunnerTurns(store, runnerId);
    await deleteRunner(generalPool, runnerId, runnerTimeoutMs);
  }
  return closed;
}

async function closeAbandonedTurns(store: Store): Promise<number> {
  const { generalPool } = store.database;
  const closed = await closeFoundTurns(store, () => listAbandonedTurns(generalPool, store.abandonmentLimits));
  await deletePartialsOfEndedTurns(generalPool);
  await saveReaperProgress(generalPool);
  return closed;
}
