import { Client, type ClientOptions, connectivityState, credentials } from '@grpc/grpc-js';
import { type GatewayError } from '@parley/protos/errors';
import { type Method } from './method.ts';
import { MuxClient } from './mux-client.ts';
import { LostCallError } from './status.ts';

const OPTIONS: ClientOptions = {
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.max_send_message_length': 64 * 1024 * 1024,
  'grpc-node.flow_control_window': 8 * 1024 * 1024,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
};

/** First pause of an address that failed; doubles with every failure in a row. */
const REST_MS = 100;
const MAX_REST_MS = 5_000;

/** The way to one address of a service: its connection, its multiplexed streams, what is under way on it and how it went. */
export class Channel {
  readonly place: string;
  readonly client: Client;
  readonly #streamLifeMs: number;
  readonly #muxes = new Map<Method, MuxClient>();
  readonly #troubled: () => void;
  readonly #closed: () => void;
  #live = 0;
  #failures = 0;
  #restsUntil = 0;
  #isStopping = false;
  #retired = false;
  #isClosed = false;

  /** `troubled` hears of every failure of the way itself; `closed` is called once. */
  constructor(place: string, streamLifeMs: number, troubled: () => void, closed: () => void) {
    this.place = place;
    this.client = new Client(place, credentials.createInsecure(), OPTIONS);
    this.#streamLifeMs = streamLifeMs;
    this.#troubled = troubled;
    this.#closed = closed;
  }

  /** Calls and exchanges under way. */
  get live(): number {
    return this.#live;
  }

  /** Connects, unless it is or does already, and says how far that is. */
  wake(): 'ready' | 'connecting' | 'failed' {
    const state = this.client.getChannel().getConnectivityState(true);
    if (state !== connectivityState.READY) this.#isStopping = false;
    switch (state) {
      case connectivityState.READY:
        return 'ready';
      case connectivityState.TRANSIENT_FAILURE:
      case connectivityState.SHUTDOWN:
        return 'failed';
      case connectivityState.IDLE:
      case connectivityState.CONNECTING:
        return 'connecting';
    }
  }

  /** Failed a short while ago, or stops: what drains does not serve again before it has been started, and connected to, anew. */
  isResting(now: number): boolean {
    if (this.#isStopping) this.wake();
    return this.#isStopping || now < this.#restsUntil;
  }

  /** The stream of a multiplexed method. */
  mux(method: Method): MuxClient {
    let mux = this.#muxes.get(method);
    if (!mux) this.#muxes.set(method, (mux = new MuxClient(this.client, method, this.#streamLifeMs, this)));
    return mux;
  }

  /** A call begins. */
  began(): void {
    this.#live++;
  }

  /** A call is over; what broke the way, or a service that takes nothing new, takes the address out of rotation. */
  ended(error?: GatewayError): void {
    this.#live--;
    if (error && isTurnedAway(error)) this.#isStopping = true;
    else if (error instanceof LostCallError) this.#rest();
    else if (error?.condition !== 'TIMEOUT' && error?.condition !== 'CANCELLED') this.#failures = 0;
    if (this.#retired && this.#live === 0) this.close();
  }

  /** Takes nothing new and closes with the last call. */
  retire(): void {
    this.#retired = true;
    if (this.#live === 0) this.close();
  }

  /** Breaks what is under way. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const mux of this.#muxes.values()) mux.close();
    this.client.close();
    this.#closed();
  }

  #rest(): void {
    const now = performance.now();
    // Everything that was under way fails with the same break.
    if (this.#isClosed || this.isResting(now)) return;
    this.#restsUntil = now + Math.min(REST_MS * 2 ** this.#failures++, MAX_REST_MS);
    this.#troubled();
  }
}

/** The service refused the call before it began, because it stops: another replica may take it. */
export function isTurnedAway(error: unknown): boolean {
  return (error as GatewayError).condition === 'SHUTTING_DOWN';
}
