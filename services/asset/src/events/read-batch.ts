import { type Logger } from '@parley/kit/log/logger';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';

/** The events of a message. What can never be read is logged and passed over: delivering it again would only bring it back, for ever. */
export function readBatch(bytes: Uint8Array, log: Logger): Event[] {
  try {
    return EventBatch.decode(bytes).events;
  } catch (err) {
    log.error({ err, size: bytes.length }, 'message dropped: not a batch of events');
    return [];
  }
}
