import { type Logger } from '@parley/kit/log/logger';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';

/** Decodes the events of a message. Logs and drops an unreadable message: it would be redelivered forever. */
export function decodeEventBatch(bytes: Uint8Array, log: Logger): Event[] {
  try {
    return EventBatch.decode(bytes).events;
  } catch (err) {
    log.error({ err, size: bytes.length }, 'message dropped: not a batch of events');
    return [];
  }
}
