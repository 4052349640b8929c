import type { Bus, RunningConsumer } from '@parley/kit/bus/bus';
import { GroupCommit } from '@parley/kit/db/group-commit';
import { pause } from '@parley/kit/lifecycle/pause';
import type { Logger } from '@parley/kit/log/logger';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { indexTurns } from '../store/index-turns.ts';
import type { Store } from '../store/store.ts';
import type { TurnLoad } from './turn-load.ts';

/** Turns that one transaction takes. */
const BATCH = 100;
/** A message may hold thousands of turns. */
const MAX_QUEUE = 100_000;
/**
 * Does what ended turns leave for later (search, titles, telling of new conversations), from wherever the consumers of all replicas stood,
 * until it is stopped. Between transactions it rests, so that under load the database is the turns'.
 */
export function consumeTurns(bus: Bus, store: Store, load: TurnLoad, log: Logger): RunningConsumer {
  const commits = new GroupCommit<string>({
    maxBatch: BATCH,
    maxQueue: MAX_QUEUE,
    write: async (turnIds) => {
      const began = performance.now();
      if (await indexTurns(store.database, turnIds)) store.kick();
      await pause(load.restMs(performance.now() - began));
    },
  });
  return bus.consume({
    stream: EVENT_STREAM,
    durable: 'conversation-turns',
    filterSubject: EVENT_FILTERS.turns,
    // Large messages take their time under load, and nobody else should begin with them meanwhile.
    ackWaitMs: 300_000,
    maxInFlight: 2,
    handler: async (bytes) => void (await Promise.all(turnsOf(bytes, log).map((turnId) => commits.add(turnId)))),
  });
}

/** What can never be read is logged and passed over: delivering it again would only bring it back, for ever. */
function turnsOf(bytes: Uint8Array, log: Logger): string[] {
  try {
    const { events } = EventBatch.decode(bytes);
    return events.flatMap(({ payload }) => (payload?.$case === 'turnEnded' ? [payload.value.turnId] : []));
  } catch (err) {
    log.error({ err, size: bytes.length }, 'turn message dropped: not a batch of events');
    return [];
  }
}
