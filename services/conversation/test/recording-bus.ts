import { type Bus } from '@parley/kit/bus/bus';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';

/** A bus that records published events in memory. */
export interface RecordingBus extends Bus {
  /** The events in order, with their subjects. */
  readonly events: { subject: string; event: Event }[];
}

/** A broker that accepts everything. */
export function createRecordingBus(): RecordingBus {
  const events: RecordingBus['events'] = [];
  return {
    events,
    connected: true,
    declareStream: () => undefined,
    publish: async (subject, bytes) => {
      for (const event of EventBatch.decode(bytes).events) events.push({ subject, event });
    },
    consume: () => ({ stop: async () => undefined }),
    notify: () => undefined,
    onNotice: () => () => undefined,
    onConnected: () => () => undefined,
    drain: async () => undefined,
  };
}
