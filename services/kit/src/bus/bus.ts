import { type Consuming, startConsumer } from './consumer.ts';
import type { ConsumeOptions } from './durable.ts';
import { BusConnection, type BusConnectionOptions } from './bus-connection.ts';
import { type NoticeHandler, Notices } from './notices.ts';
import { type PublishOptions, Publisher } from './publisher.ts';
import { StreamKeeper } from './stream-keeper.ts';
import type { StreamDeclaration } from './streams.ts';

export { BusUnavailable } from './bus-unavailable.ts';
export type { Consuming } from './consumer.ts';
export type { ConsumeOptions } from './durable.ts';
export type { NoticeHandler } from './notices.ts';
export type { PublishOptions } from './publisher.ts';

/** The gateway's message bus: durable events over JetStream, notices over core NATS. Bytes in, bytes out. */
export interface Bus {
  readonly connected: boolean;
  /** Declares a stream: now, and after every reconnect, until the broker has it as declared. */
  declareStream(declaration: StreamDeclaration): void;
  /**
   * Publishes to a stream; resolves when the stream has it.
   * @throws BusUnavailable at once when disconnected, and when no acknowledgement comes.
   */
  publish(subject: string, bytes: Uint8Array, options?: PublishOptions): Promise<void>;
  /** Handles the messages of a stream, across restarts of the broker and of this process. */
  consume(options: ConsumeOptions): Consuming;
  /** Tells whoever listens now; dropped when disconnected. */
  notify(subject: string, bytes: Uint8Array): void;
  /** Hears notices, across reconnects; wildcards are allowed. The answer unsubscribes. */
  onNotice(subject: string, handler: NoticeHandler): () => void;
  /** Called on every connect and reconnect (notices may have been missed), and at once when connected. The answer unsubscribes. */
  onConnected(listener: () => void): () => void;
  /** Stops consumers, waits for their handlers, sends what is buffered and disconnects for good. */
  drain(): Promise<void>;
}

/** Where the bus is and who we are on it. */
export type BusOptions = BusConnectionOptions;

/** Opens the bus. It connects in the background and for ever: that the broker is down is never an error here. */
export function connectBus(options: BusOptions): Bus {
  const link = new BusConnection(options);
  const streams = new StreamKeeper(link, options.log);
  const notices = new Notices(link, options.log);
  const publisher = new Publisher(link, () => streams.check());
  const consumers = new Set<Consuming>();
  return {
    get connected() {
      return link.connection !== undefined;
    },
    declareStream: (declaration) => streams.declare(declaration),
    publish: (subject, bytes, publishOptions = {}) => publisher.publish(subject, bytes, publishOptions),
    consume: (consumeOptions) => {
      const consumer = startConsumer(link, options.log, consumeOptions);
      consumers.add(consumer);
      return {
        stop: () => {
          consumers.delete(consumer);
          return consumer.stop();
        },
      };
    },
    notify: (subject, bytes) => link.connection?.publish(subject, bytes),
    onNotice: (subject, handler) => notices.listen(subject, handler),
    onConnected: (listener) => link.onUp(() => listener()),
    drain: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await link.close();
    },
  };
}
