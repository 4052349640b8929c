import { pause } from '@parley/kit/lifecycle/pause';
import { type Logger } from '@parley/kit/log/logger';
import { type Database } from '../store/database.ts';
import { advanceIndex } from '../store/search-index.ts';
import { type SearchOwner, addOwner, claimOwner, releaseOwner, recordSearch } from '../store/search-owners.ts';
import { type TurnLoad } from './turn-load.ts';

/** Settings of the indexer. */
export interface SearchIndexerOptions {
  database: Database;
  load: TurnLoad;
  log: Logger;
  /** Owners with more bytes of messages get an index when they search. */
  minBytes: number;
  /** Interval at which this replica checks for work that another one did not finish. */
  intervalMs: number;
}

/** Builds the text indexes of owners who search. */
export interface SearchIndexer {
  /** Records a search of these owners, in the background. */
  recordSearch(owners: readonly SearchOwner[], requestId: string): void;
  /** Resolves after the step in progress. */
  stop(): Promise<void>;
}

/** An owner's search is recorded at most this often. */
const RECORD_EVERY_MS = 600_000;
/** Maximum owners whose searches this process remembers; more only cost a statement each. */
const MAX_REMEMBERED = 10_000;

/**
 * Starts the indexer. Any number of replicas may run it. It pauses between its steps, so that turns have priority on the database, and runs
 * no statement for owners who do not search.
 */
export function startSearchIndexer({ database, load, log, minBytes, intervalMs }: SearchIndexerOptions): SearchIndexer {
  const recordedAt = new Map<string, number>();
  const stopping = new AbortController();
  let isKicked = false;
  let running: Promise<void> | undefined;
  const recording = new Set<Promise<void>>();

  async function record(owner: SearchOwner): Promise<void> {
    const known = recordedAt.get(owner.ownerId);
    if (known !== undefined && performance.now() - known < RECORD_EVERY_MS) return;
    if (recordedAt.size >= MAX_REMEMBERED) recordedAt.clear();
    recordedAt.set(owner.ownerId, performance.now());
    if ((await recordSearch(database.generalPool, owner)) || (await addOwner(database.generalPool, owner, minBytes))) kick();
  }

  function kick(): void {
    isKicked = true;
    if (!stopping.signal.aborted) running ??= work().finally(() => (running = undefined));
  }

  async function work(): Promise<void> {
    try {
      while (isKicked) {
        isKicked = false;
        for (let owner = await claimOwner(database.generalPool); owner; owner = await claimOwner(database.generalPool)) {
          await workOn(owner);
          if (stopping.signal.aborted) return;
        }
      }
    } catch (err) {
      // The next round continues: every step is a transaction.
      log.warn({ err }, 'the search index could not be built');
    }
  }

  async function workOn(owner: SearchOwner): Promise<void> {
    for (let hasMore = true; hasMore && !stopping.signal.aborted;) {
      const began = performance.now();
      hasMore = await advanceIndex(database, owner);
      await pause(load.pauseMs(performance.now() - began), stopping.signal);
    }
    await releaseOwner(database.generalPool, owner);
  }

  const timer = setInterval(kick, intervalMs);
  timer.unref();
  return {
    recordSearch: (owners, requestId) => {
      const done = Promise.all(owners.map(record)).then(
        () => undefined,
        (err: unknown) => log.warn({ err, requestId }, 'a search could not be recorded'),
      );
      recording.add(done);
      void done.finally(() => recording.delete(done));
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(recording);
      await running;
    },
  };
}
