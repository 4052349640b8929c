import { type ConnectionOptions, Events, type NatsConnection, connect } from 'nats';
import { pause } from '../lifecycle/pause.ts';
import { type Logger } from '../log/logger.ts';
import { observeGauge } from '../telemetry/meter.ts';
import { parseBrokerUrl } from './broker-url.ts';

/** The broker's URL and the names under which this client appears. */
export interface BusConnectionOptions {
  /** One or more `nats://[user:password@]host:port`, separated by commas. */
  url: string;
  /** Shown in the broker's connection list. */
  name: string;
  /** The label `service` of the connection's metrics: the name without the instance. @default name */
  service?: string;
  log: Logger;
}

const CONNECT_MS = 2_000;
const FIRST_WAIT_MS = 100;
const LAST_WAIT_MS = 2_000;
const PING_MS = 10_000;

/** Connects to the broker in the background, retries forever, and notifies its listeners of every connect and disconnect. */
export class BusConnection {
  readonly #options: BusConnectionOptions;
  readonly #broker: ConnectionOptions;
  readonly #stop = new AbortController();
  readonly #up = new Set<(nc: NatsConnection) => void>();
  readonly #down = new Set<() => void>();
  readonly #running: Promise<void>;
  readonly #unobserve: () => void;
  #current: NatsConnection | undefined;
  #connected = false;
  #warned = false;

  constructor(options: BusConnectionOptions) {
    this.#options = options;
    this.#broker = parseBrokerUrl(options.url);
    const labels = { service: options.service ?? options.name };
    this.#unobserve = observeGauge('parley_broker_connected', () => [{ labels, value: this.#connected ? 1 : 0 }]);
    this.#running = this.#run();
  }

  /** The current connection; undefined while disconnected. */
  get connection(): NatsConnection | undefined {
    return this.#connected ? this.#current : undefined;
  }

  /** Aborts when the connection is closed for good. */
  get closeSignal(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Calls `listener` on every connect and reconnect, and immediately when already connected; a new `nc` object has no subscriptions yet.
   * The returned function removes the listener.
   */
  onUp(listener: (nc: NatsConnection) => void): () => void {
    this.#up.add(listener);
    if (this.connection) listener(this.connection);
    return () => this.#up.delete(listener);
  }

  /** Calls `listener` each time the connection is lost. The returned function removes it. */
  onDown(listener: () => void): () => void {
    this.#down.add(listener);
    return () => this.#down.delete(listener);
  }

  /** Flushes buffered messages if connected, and disconnects permanently. */
  async close(): Promise<void> {
    const nc = this.connection;
    this.#unobserve();
    this.#stop.abort();
    if (nc) await Promise.race([nc.drain().catch(() => undefined), pause(CONNECT_MS)]);
    await this.#current?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!this.#stop.signal.aborted) {
      try {
        const nc = await this.#open();
        wait = FIRST_WAIT_MS;
        this.#setUp(nc);
        // Not awaited: the client never ends this iterator, not even when it is closed.
        void this.#watch(nc);
        // The client reconnects by itself; it stops permanently only when the broker rejects it, as for an invalid login.
        await nc.closed();
        this.#setDown();
      } catch (err) {
        this.#warn(err);
      }
      await pause(wait * (0.5 + Math.random() / 2), this.#stop.signal);
      wait = Math.min(wait * 2, LAST_WAIT_MS);
    }
  }

  async #open(): Promise<NatsConnection> {
    const nc = await connect({
      ...this.#broker,
      name: this.#options.name,
      timeout: CONNECT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      pingInterval: PING_MS,
      maxPingOut: 2,
      noAsyncTraces: true,
    });
    this.#current = nc;
    if (this.#stop.signal.aborted) await nc.close();
    return nc;
  }

  async #watch(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === Events.Disconnect) this.#setDown();
      else if (type === Events.Reconnect) this.#setUp(nc);
    }
  }

  #setUp(nc: NatsConnection): void {
    if (nc.isClosed() || this.#connected) return;
    this.#connected = true;
    this.#warned = false;
    this.#options.log.info({ server: nc.getServer() }, 'connected to the message broker');
    for (const listener of this.#up) listener(nc);
  }

  #setDown(): void {
    if (!this.#connected) return;
    this.#connected = false;
    for (const listener of this.#down) listener();
    this.#warn(undefined);
  }

  /** Logs one line for each disconnect, however often the next connect fails. */
  #warn(err: unknown): void {
    if (this.#warned || this.#stop.signal.aborted) return;
    this.#warned = true;
    this.#options.log.warn({ err }, 'the message broker is not available');
  }
}
