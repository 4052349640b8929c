import type { NatsConnection, Subscription } from 'nats';
import { type Logger } from '../log/logger.ts';
import { type BusConnection } from './bus-connection.ts';

/** Handles a notice; errors that it throws are logged. */
export type NoticeHandler = (bytes: Uint8Array, subject: string) => Promise<void> | void;

interface Notice {
  subject: string;
  handler: NoticeHandler;
  /** The subscription and the connection it was made on. */
  live?: { nc: NatsConnection; subscription: Subscription };
}

/** Core NATS subscriptions; subscribes again on every new connection. */
export class NoticeSubscriptions {
  readonly #connection: BusConnection;
  readonly #log: Logger;
  readonly #notices = new Set<Notice>();

  constructor(connection: BusConnection, log: Logger) {
    this.#connection = connection;
    this.#log = log;
    connection.onUp((nc) => {
      for (const notice of this.#notices) this.#subscribe(notice, nc);
    });
  }

  /** Subscribes to a subject until the returned function is called. */
  subscribe(subject: string, handler: NoticeHandler): () => void {
    const notice: Notice = { subject, handler };
    this.#notices.add(notice);
    if (this.#connection.connection) this.#subscribe(notice, this.#connection.connection);
    return () => {
      this.#notices.delete(notice);
      notice.live?.subscription.unsubscribe();
    };
  }

  /** Subscribes once per connection: the client restores subscriptions when it reconnects; only a new connection lacks them. */
  #subscribe(notice: Notice, nc: NatsConnection): void {
    if (notice.live?.nc === nc) return;
    const subscription = nc.subscribe(notice.subject, {
      callback: (err, message) => {
        if (err) this.#log.warn({ err, subject: notice.subject }, 'notice subscription failed');
        else void this.#handle(notice, message.data, message.subject);
      },
    });
    notice.live = { nc, subscription };
  }

  async #handle({ handler }: Notice, bytes: Uint8Array, subject: string): Promise<void> {
    try {
      await handler(bytes, subject);
    } catch (err) {
      this.#log.warn({ err, subject }, 'notice handler failed');
    }
  }
}
