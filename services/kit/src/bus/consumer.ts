import type { Consumer, JsMsg, NatsConnection } from 'nats';
import type { Logger } from '../log/logger.ts';
import { type ConsumeOptions, declareConsumer } from './durable.ts';
import type { BusConnection } from './bus-connection.ts';
import { pause } from '../lifecycle/pause.ts';

/** A consumer that runs. */
export interface Consuming {
  /** Takes no more and resolves when the handlers in flight are done. */
  stop(): Promise<void>;
}

const PULL_MS = 10_000;
const MAX_RETRY_MS = 60_000;

/** Declares the consumer and pulls, again after every disconnect and whenever stream or consumer have gone missing. */
export function startConsumer(link: BusConnection, log: Logger, options: ConsumeOptions): Consuming {
  const consumer = new PullLoop(link, log.child({ durable: options.durable }), options);
  return { stop: () => consumer.stop() };
}

class PullLoop {
  readonly #link: BusConnection;
  readonly #log: Logger;
  readonly #options: Required<ConsumeOptions>;
  readonly #stop = new AbortController();
  readonly #active = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #failing = false;

  constructor(link: BusConnection, log: Logger, options: ConsumeOptions) {
    this.#link = link;
    this.#log = log;
    this.#options = { maxInFlight: 16, ackWaitMs: 30_000, retryMs: 500, ...options };
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#active);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let wait = 100;
    while (!signal.aborted) {
      const nc = await this.#connection();
      if (!nc) return;
      try {
        const consumer = await declareConsumer(nc, this.#options);
        if (this.#failing) this.#log.info('consumer resumed');
        this.#failing = false;
        wait = 100;
        while (!signal.aborted) await this.#pull(consumer);
      } catch (err) {
        // A stream that is declared a moment later is the normal start; a warning only when it stays away.
        if (!this.#failing && wait > 1_000) this.#log.warn({ err }, 'consumer interrupted');
        this.#failing = this.#failing || wait > 1_000;
        await pause(wait, signal);
        wait = Math.min(wait * 2, 5_000);
      }
    }
  }

  /** The live connection, waiting for one; undefined once stopped. */
  async #connection(): Promise<NatsConnection | undefined> {
    const { signal } = this.#stop;
    if (this.#link.connection || signal.aborted) return signal.aborted ? undefined : this.#link.connection;
    return new Promise((resolve) => {
      const off = this.#link.onUp((nc) => settle(nc));
      const settle = (nc?: NatsConnection) => {
        off();
        signal.removeEventListener('abort', abort);
        resolve(nc);
      };
      const abort = () => settle();
      signal.addEventListener('abort', abort);
    });
  }

  /** One pull for as many messages as there are free hands; at least half of them, so that a busy consumer does not pull one by one. */
  async #pull(consumer: Consumer): Promise<void> {
    const { maxInFlight } = this.#options;
    while (this.#active.size > maxInFlight >> 1) await Promise.race(this.#active);
    if (this.#stop.signal.aborted) return;
    const messages = await consumer.fetch({ max_messages: maxInFlight - this.#active.size, expires: PULL_MS });
    const end = () => messages.stop();
    this.#stop.signal.addEventListener('abort', end);
    const offDown = this.#link.onDown(end);
    try {
      for await (const message of messages) {
        if (this.#stop.signal.aborted) reply(() => message.nak());
        else this.#take(message);
      }
    } finally {
      offDown();
      this.#stop.signal.removeEventListener('abort', end);
    }
    // A connection that is gone is waited for, not polled.
    if (!this.#link.connection) throw new Error('disconnected');
  }

  #take(message: JsMsg): void {
    const work = this.#handle(message).finally(() => this.#active.delete(work));
    this.#active.add(work);
  }

  async #handle(message: JsMsg): Promise<void> {
    const { handler, retryMs } = this.#options;
    const attempt = message.info.deliveryCount;
    try {
      await handler(message.data, { subject: message.subject, redelivered: message.redelivered });
    } catch (err) {
      const delayMs = Math.min(retryMs * 2 ** Math.min(attempt - 1, 20), MAX_RETRY_MS);
      this.#log.warn({ err, subject: message.subject, attempt, delayMs }, 'event handler failed');
      return reply(() => message.nak(delayMs));
    }
    reply(() => message.ack());
  }
}

/** On a connection that has been closed a reply throws; the server then delivers the message again by itself. */
function reply(send: () => void): void {
  try {
    send();
  } catch {
    return;
  }
}
