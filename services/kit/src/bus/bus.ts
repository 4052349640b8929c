import { BusConnection, type BusConnectionOptions } from './bus-connection.ts';
import { type RunningConsumer, startConsumer } from './consumer.ts';
import { type ConsumeOptions } from './durable-consumer.ts';
import { type NoticeHandler, NoticeSubscriptions } from './notice-subscriptions.ts';
import { type PublishOptions, Publisher } from './publisher.ts';
import { StreamDeclarations } from './stream-declarations.ts';
import { type StreamDeclaration } from './streams.ts';

export { BusUnavailableError } from './bus-unavailable-error.ts';
export type { RunningConsumer } from './consumer.ts';
export type { ConsumeOptions } from './durable-consumer.ts';
export type { NoticeHandler } from './notice-subscriptions.ts';
export type { PublishOptions } from './publisher.ts';

/** The message bus: durable events over JetStream, notices over core NATS. Payloads are bytes. */
export interface Bus {
  readonly connected: boolean;
  /** Declares a stream now and after every reconnect, with retries in the background; returns immediately. */
  declareStream(declaration: StreamDeclaration): void;
  /**
   * Publishes to a stream; resolves when the stream has stored the message.
   * @throws BusUnavailableError immediately when disconnected, and when no acknowledgement arrives in time
   */
  publish(subject: string, bytes: Uint8Array, options?: PublishOptions): Promise<void>;
  /** Starts to handle the messages of a stream; continues after restarts of the broker and of this process. */
  consume(options: ConsumeOptions): RunningConsumer;
  /** Sends a notice to the current subscribers; drops it when disconnected. */
  notify(subject: string, bytes: Uint8Array): void;
  /** Subscribes to notices, across reconnects; wildcards are allowed. The returned function unsubscribes. */
  onNotice(subject: string, handler: NoticeHandler): () => void;
  /**
   * Calls `listener` on every connect and reconnect (notices may have been missed), and immediately when connected. The returned function
   * removes it.
   */
  onConnected(listener: () => void): () => void;
  /** Stops the consumers, waits for their handlers, flushes buffered messages and disconnects permanently. */
  drain(): Promise<void>;
}

/** The broker's URL and the name of this client. */
export type BusOptions = BusConnectionOptions;

/** Opens the bus. It connects in the background and retries forever; a broker that is down causes no error here. */
export function connectBus(options: BusOptions): Bus {
  const connection = new BusConnection(options);
  const streams = new StreamDeclarations(connection, options.log);
  const notices = new NoticeSubscriptions(connection, options.log);
  const publisher = new Publisher(connection, () => streams.declareAll());
  const consumers = new Set<RunningConsumer>();
  return {
    get connected() {
      return connection.connection !== undefined;
    },
    declareStream: (declaration) => streams.declare(declaration),
    publish: (subject, bytes, publishOptions = {}) => publisher.publish(subject, bytes, publishOptions),
    consume: (consumeOptions) => {
      const consumer = startConsumer(connection, options.log, consumeOptions);
      consumers.add(consumer);
      return {
        stop: () => {
          consumers.delete(consumer);
          return consumer.stop();
        },
      };
    },
    notify: (subject, bytes) => connection.connection?.publish(subject, bytes),
    onNotice: (subject, handler) => notices.subscribe(subject, handler),
    onConnected: (listener) => connection.onUp(() => listener()),
    drain: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await connection.close();
    },
  };
}
