import { type Bus } from '../bus/bus.ts';

/** Streams reserve their maximum size, and many tests share one broker. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns the bus with streams and subjects under a separate prefix: real NATS, but only buses with the same prefix exchange messages.
 * There is one event stream per broker, so that concurrent tests would count each other's events.
 */
export function isolateBus(bus: Bus, prefix: string): Bus {
  const within = (subject: string) => `${prefix}.${subject}`;
  const streamName = (name: string) => `${prefix}_${name}`;
  return {
    ...bus,
    get connected() {
      return bus.connected;
    },
    declareStream: (stream) =>
      bus.declareStream({ ...stream, name: streamName(stream.name), subjects: stream.subjects.map(within), maxBytes: MAX_BYTES }),
    publish: (subject, bytes, options) => bus.publish(within(subject), bytes, options),
    consume: (options) => bus.consume({ ...options, stream: streamName(options.stream), filterSubject: within(options.filterSubject) }),
    notify: (subject, bytes) => bus.notify(within(subject), bytes),
    onNotice: (subject, handler) => bus.onNotice(within(subject), handler),
  };
}
