import { type Bus, type RunningConsumer } from '@parley/kit/bus/bus';
import { GroupCommit } from '@parley/kit/db/group-commit';
import { pause } from '@parley/kit/lifecycle/pause';
import { type Logger } from '@parley/kit/log/logger';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { indexTurns } from '../store/index-turns.ts';
import { type Store } from '../store/store.ts';
import { type TurnLoad } from './turn-load.ts';

/** Turns in one transaction. */
const BATCH = 100;
/** A message may contain thousands of turns. */
const MAX_QUEUE = 100_000;

/**
 * Consumes the ends of turns until it is stopped: indexes their messages for search, derives titles and publishes `created` events. It
 * pauses between transactions, so that turns have priority on the database.
 */
export function consumeTurnEvents(bus: Bus, store: Store, load: TurnLoad, log: Logger): RunningConsumer {
  const commits = new GroupCommit<string>({
    maxBatch: BATCH,
    maxQueue: MAX_QUEUE,
    write: async (turnIds) => {
      const began = performance.now();
      if (await indexTurns(store.database, turnIds)) store.notifyRelay();
      await pause(load.pauseMs(performance.now() - began));
    },
  });
  return bus.consume({
    stream: EVENT_STREAM,
    durable: 'conversation-turns',
    filterSubject: EVENT_FILTERS.turns,
    // A large message takes long under load, and must not be redelivered to another replica meanwhile.
    ackWaitMs: 300_000,
    maxInFlight: 2,
    handler: async (bytes) => void (await Promise.all(readTurnIds(bytes, log).map((turnId) => commits.add(turnId)))),
  });
}

/** Logs and skips an unreadable message: it would be redelivered forever. */
function readTurnIds(bytes: Uint8Array, log: Logger): string[] {
  try {
    const { events } = EventBatch.decode(bytes);
    return events.flatMap(({ payload }) => (payload?.$case === 'turnEnded' ? [payload.value.turnId] : []));
  } catch (err) {
    log.error({ err, size: bytes.length }, 'turn message dropped: not a batch of events');
    return [];
  }
}
