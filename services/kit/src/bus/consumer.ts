import { listEventTraceparents } from '@parley/protos/event-traces';
import type { Consumer, JsMsg, NatsConnection } from 'nats';
import { pause } from '../lifecycle/pause.ts';
import { type Logger } from '../log/logger.ts';
import { throttleRead, counter, observeGauge } from '../telemetry/meter.ts';
import { SpanKind } from '../telemetry/span.ts';
import { toSampledTraceparent } from '../telemetry/traceparent.ts';
import { runInSpan, isTracing } from '../telemetry/tracer.ts';
import { type BusConnection } from './bus-connection.ts';
import { type ConsumeOptions, declareConsumer } from './durable-consumer.ts';

/** A running consumer. */
export interface RunningConsumer {
  /** Pulls no more messages and resolves when the handlers in flight are done. */
  stop(): Promise<void>;
}

/** How long one pull request waits for messages; an idle pull costs a few messages, and a lost connection ends it at once. */
const PULL_MS = 30_000;
const MAX_RETRY_MS = 60_000;
/** Shortest interval between two queries of the broker for metrics. */
const OBSERVE_MS = 5_000;
/** Maximum number of links of one span: a message may contain thousands of events. */
const MAX_LINKS = 64;

const REDELIVERED = counter('parley_consumer_redelivered_total');

/**
 * Declares the consumer and pulls messages in the background; declares it again after every disconnect and whenever the stream or the
 * consumer is missing.
 */
export function startConsumer(connection: BusConnection, log: Logger, options: ConsumeOptions): RunningConsumer {
  const consumer = new PullLoop(connection, log.child({ durable: options.durable }), options);
  return { stop: () => consumer.stop() };
}

class PullLoop {
  readonly #connection: BusConnection;
  readonly #log: Logger;
  readonly #options: Required<ConsumeOptions>;
  readonly #stop = new AbortController();
  readonly #active = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  readonly #unobserve: () => void;
  /** The consumer as declared on the current connection. */
  #declared: Consumer | undefined;
  #failing = false;

  constructor(connection: BusConnection, log: Logger, options: ConsumeOptions) {
    this.#connection = connection;
    this.#log = log;
    this.#options = { maxInFlight: 16, ackWaitMs: 30_000, retryMs: 500, ...options };
    const labels = { consumer: options.durable };
    const pending = throttleRead(OBSERVE_MS, () => this.#countPending());
    this.#unobserve = observeGauge('parley_consumer_pending', async () => [{ labels, value: await pending() }]);
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#unobserve();
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#active);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let wait = 100;
    while (!signal.aborted) {
      const nc = await this.#waitForConnection();
      if (!nc) return;
      try {
        const consumer = await declareConsumer(nc, this.#options);
        this.#declared = consumer;
        if (this.#failing) this.#log.info('consumer resumed');
        this.#failing = false;
        wait = 100;
        while (!signal.aborted) await this.#pull(consumer);
      } catch (err) {
        // At start the stream is often declared a moment later, so only a stream that stays missing is a warning.
        if (!this.#failing && wait > 1_000) this.#log.warn({ err }, 'consumer interrupted');
        this.#failing = this.#failing || wait > 1_000;
        await pause(wait, signal);
        wait = Math.min(wait * 2, 5_000);
      }
    }
  }

  /** Resolves with the current connection, when there is one; undefined once stopped. */
  async #waitForConnection(): Promise<NatsConnection | undefined> {
    const { signal } = this.#stop;
    if (this.#connection.connection || signal.aborted) return signal.aborted ? undefined : this.#connection.connection;
    return new Promise((resolve) => {
      const off = this.#connection.onUp((nc) => settle(nc));
      const settle = (nc?: NatsConnection) => {
        off();
        signal.removeEventListener('abort', abort);
        resolve(nc);
      };
      const abort = () => settle();
      signal.addEventListener('abort', abort);
    });
  }

  /** Pulls as many messages as there are free slots, at least half of all slots, so that a busy consumer does not pull messages one by one. */
  async #pull(consumer: Consumer): Promise<void> {
    const { maxInFlight } = this.#options;
    while (this.#active.size > maxInFlight >> 1) await Promise.race(this.#active);
    if (this.#stop.signal.aborted) return;
    const messages = await consumer.fetch({ max_messages: maxInFlight - this.#active.size, expires: PULL_MS });
    const end = () => messages.stop();
    this.#stop.signal.addEventListener('abort', end);
    const offDown = this.#connection.onDown(end);
    try {
      for await (const message of messages) {
        if (this.#stop.signal.aborted) reply(() => message.nak());
        else this.#take(message);
      }
    } finally {
      offDown();
      this.#stop.signal.removeEventListener('abort', end);
    }
    // Leaves the pull to the outer loop, which waits for the reconnect.
    if (!this.#connection.connection) throw new Error('disconnected');
  }

  #take(message: JsMsg): void {
    const work = this.#handle(message).finally(() => this.#active.delete(work));
    this.#active.add(work);
  }

  async #handle(message: JsMsg): Promise<void> {
    const { durable, retryMs } = this.#options;
    const attempt = message.info.deliveryCount;
    if (message.redelivered) REDELIVERED.add({ consumer: durable });
    try {
      await this.#process(message);
    } catch (err) {
      const delayMs = Math.min(retryMs * 2 ** Math.min(attempt - 1, 20), MAX_RETRY_MS);
      this.#log.warn({ err, subject: message.subject, attempt, delayMs }, 'event handler failed');
      return reply(() => message.nak(delayMs));
    }
    reply(() => message.ack());
  }

  /**
   * Runs the handler, in a span when an event of the message belongs to a sampled trace; the span links to the traces, as a message has
   * events of many.
   */
  async #process(message: JsMsg): Promise<void> {
    const { handler, durable, stream } = this.#options;
    const { data, subject, redelivered } = message;
    const links = isTracing() ? listEventTraceparents(data, MAX_LINKS).filter((trace) => toSampledTraceparent(trace) !== '') : [];
    if (links.length === 0) return handler(data, { subject, redelivered, traceparent: '' });
    const attributes = {
      'messaging.system': 'nats',
      'messaging.operation.type': 'process',
      'messaging.destination.name': stream,
      'messaging.consumer.group.name': durable,
    };
    const start = { parent: '', kind: SpanKind.CONSUMER, links, attributes };
    await runInSpan(`process ${durable}`, start, async ({ traceparent }) => handler(data, { subject, redelivered, traceparent }));
  }

  /** @throws while there is no connection */
  async #countPending(): Promise<number> {
    if (!this.#connection.connection || !this.#declared) throw new Error('disconnected');
    const { num_pending: waiting, num_ack_pending: delivered } = await this.#declared.info();
    return waiting + delivered;
  }
}

/** Ignores the error of a reply on a closed connection: the server then delivers the message again. */
function reply(send: () => void): void {
  try {
    send();
  } catch {
    return;
  }
}
