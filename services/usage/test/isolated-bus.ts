import { type Bus, type BusOptions, connectBus } from '@parley/kit/bus/bus';

/** Streams reserve what they may hold, and many tests share one broker. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * A `connectBus` whose buses meet only each other: real NATS, with streams, subjects and durables under a prefix of their own.
 * The event stream is one per broker, so tests that run side by side would count each other's events.
 */
export function isolatedBus(prefix: string): (options: BusOptions) => Bus {
  const within = (subject: string) => `${prefix}.${subject}`;
  return (options) => {
    const bus = connectBus(options);
    return {
      ...bus,
      get connected() {
        return bus.connected;
      },
      declareStream: (stream) =>
        bus.declareStream({ ...stream, name: `${prefix}_${stream.name}`, subjects: stream.subjects.map(within), maxBytes: MAX_BYTES }),
      publish: (subject, bytes, publishOptions) => bus.publish(within(subject), bytes, publishOptions),
      consume: (consumer) =>
        bus.consume({ ...consumer, stream: `${prefix}_${consumer.stream}`, filterSubject: within(consumer.filterSubject) }),
      notify: (subject, bytes) => bus.notify(within(subject), bytes),
      onNotice: (subject, handler) => bus.onNotice(within(subject), handler),
    };
  };
}
