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

/** First back-off of an address that failed; doubles with every consecutive failure. */
const BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/** The connection to one target of a service: its gRPC client, its multiplexed streams, its calls in progress and its recent failures. */
export class Channel {
  readonly target: string;
  readonly client: Client;
  readonly #streamLifeMs: number;
  readonly #muxes = new Map<Method, MuxClient>();
  readonly #onFailure: () => void;
  readonly #onClose: () => void;
  #live = 0;
  #failures = 0;
  #backoffUntil = 0;
  #isStopping = false;
  #retired = false;
  #isClosed = false;

  /** `onFailure` is called for every failure of the connection; `onClose` is called once. */
  constructor(target: string, streamLifeMs: number, onFailure: () => void, onClose: () => void) {
    this.target = target;
    this.client = new Client(target, credentials.createInsecure(), OPTIONS);
    this.#streamLifeMs = streamLifeMs;
    this.#onFailure = onFailure;
    this.#onClose = onClose;
  }

  /** Number of calls in progress. */
  get live(): number {
    return this.#live;
  }

  /** Connects if needed, and returns the state of the connection. */
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

  /** Whether calls should avoid this target: it failed recently, or it is shutting down. A server that drains serves again only after a restart and a new connection. */
  isBackingOff(now: number): boolean {
    if (this.#isStopping) this.wake();
    return this.#isStopping || now < this.#backoffUntil;
  }

  /** The stream of a multiplexed method. */
  mux(method: Method): MuxClient {
    let mux = this.#muxes.get(method);
    if (!mux) this.#muxes.set(method, (mux = new MuxClient(this.client, method, this.#streamLifeMs, this)));
    return mux;
  }

  /** Counts a call that starts. */
  began(): void {
    this.#live++;
  }

  /** Counts a call that ended; a broken connection or a server that is shutting down takes the target out of rotation. */
  ended(error?: GatewayError): void {
    this.#live--;
    if (error && isShuttingDown(error)) this.#isStopping = true;
    else if (error instanceof LostCallError) this.#backOff();
    else if (error?.condition !== 'TIMEOUT' && error?.condition !== 'CANCELLED') this.#failures = 0;
    if (this.#retired && this.#live === 0) this.close();
  }

  /** Closes after the last call in progress. */
  retire(): void {
    this.#retired = true;
    if (this.#live === 0) this.close();
  }

  /** Closes the connection; calls in progress fail. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const mux of this.#muxes.values()) mux.close();
    this.client.close();
    this.#onClose();
  }

  #backOff(): void {
    const now = performance.now();
    // All calls in progress fail with the same broken connection; it counts once.
    if (this.#isClosed || this.isBackingOff(now)) return;
    this.#backoffUntil = now + Math.min(BACKOFF_MS * 2 ** this.#failures++, MAX_BACKOFF_MS);
    this.#onFailure();
  }
}

/** Whether the service refused the call because it is shutting down: the call did not start, so another replica may take it. */
export function isShuttingDown(error: unknown): boolean {
  return (error as GatewayError).condition === 'SHUTTING_DOWN';
}
