import { Client, type ClientOptions, connectivityState, credentials, Metadata } from '@grpc/grpc-js';
import { type GatewayError } from '@parley/protos/errors';
import { LostCallError } from './grpc-status.ts';
import { CLIENT_KEEP_ALIVE, HEALTH_CHECK_TIMING } from './keep-alive.ts';
import { type Method } from './method.ts';
import { MuxClient } from './mux-client.ts';
import { PeerWatchdog } from './peer-watchdog.ts';

const OPTIONS: ClientOptions = {
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.max_send_message_length': 64 * 1024 * 1024,
  'grpc-node.flow_control_window': 8 * 1024 * 1024,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
  // Clients do not share connections: a new client never reuses a connection to a peer that was lost.
  'grpc.use_local_subchannel_pool': 1,
  ...CLIENT_KEEP_ALIVE,
};

/** Every Parley server answers it; any answer, even an error, shows that the peer is alive. */
const HEALTH_CHECK = '/grpc.health.v1.Health/Check';
const toNothing = () => Buffer.alloc(0);

/** First back-off of a failed target in milliseconds; doubles with every consecutive failure. */
const BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/** A call in progress that can be cancelled. */
interface Cancellable {
  cancel(): void;
}

/** The connection to one target of a service: its gRPC client, its multiplexed streams, its calls in progress and its recent failures. */
export class Channel {
  readonly target: string;
  /** Whether the pool has other targets; a frozen peer is then detected sooner. */
  readonly hasPeers: boolean;
  readonly #streamLifeMs: number;
  /** Calls in progress that are not multiplexed. */
  readonly #calls = new Set<Cancellable>();
  readonly #watchdog: PeerWatchdog;
  readonly #muxes = new Map<Method, MuxClient>();
  readonly #onFailure: () => void;
  readonly #onClose: () => void;
  #client: Client;
  #live = 0;
  #failures = 0;
  #backoffUntil = 0;
  #isStopping = false;
  #retired = false;
  #isClosed = false;

  /** `onFailure` is called when the target breaks or shuts down; `onClose` is called once. */
  constructor(target: string, hasPeers: boolean, streamLifeMs: number, onFailure: () => void, onClose: () => void) {
    this.target = target;
    this.hasPeers = hasPeers;
    this.#client = this.#connect();
    this.#watchdog = new PeerWatchdog({ isBusy: () => this.#live > 0, ask: (answered) => this.#ask(answered), lost: () => this.#lose() });
    this.#streamLifeMs = streamLifeMs;
    this.#onFailure = onFailure;
    this.#onClose = onClose;
  }

  get client(): Client {
    return this.#client;
  }

  /** Number of calls in progress. */
  get activeCallCount(): number {
    return this.#live;
  }

  /** Connects if needed, and returns the state of the connection. */
  connectIfNeeded(): 'ready' | 'connecting' | 'failed' {
    const state = this.#client.getChannel().getConnectivityState(true);
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

  /**
   * Whether calls should avoid this target because it failed recently or is shutting down. A draining server serves again only after a
   * restart, on a new connection.
   */
  isBackingOff(now: number): boolean {
    if (this.#isStopping) this.connectIfNeeded();
    return this.#isStopping || now < this.#backoffUntil;
  }

  /** Returns the client of a multiplexed method, created on first use. */
  getMuxClient(method: Method): MuxClient {
    let mux = this.#muxes.get(method);
    if (!mux) this.#muxes.set(method, (mux = new MuxClient(this.#client, method, this.#streamLifeMs, this)));
    return mux;
  }

  /** Counts a call that starts; if there are other targets, watches the peer while calls are in progress. */
  onCallStart(): void {
    this.#live++;
    if (this.hasPeers) this.#watchdog.begin();
  }

  /** Cancels a call when the peer is lost, until the returned function is called. */
  cancelOnPeerLoss(call: Cancellable): () => void {
    this.#calls.add(call);
    return () => void this.#calls.delete(call);
  }

  /** Counts a call that ended; a broken connection or a server that is shutting down takes the target out of rotation. */
  onCallEnd(error?: GatewayError): void {
    this.#live--;
    if (error && isShuttingDown(error)) this.#stop();
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
    this.#watchdog.stop();
    for (const mux of this.#muxes.values()) mux.close();
    this.#client.close();
    this.#onClose();
  }

  #connect(): Client {
    return new Client(this.target, credentials.createInsecure(), OPTIONS);
  }

  #ask(answered: () => void): void {
    const options = { deadline: Date.now() + HEALTH_CHECK_TIMING.deadlineMs };
    this.#client.makeUnaryRequest(HEALTH_CHECK, toNothing, () => undefined, undefined, new Metadata(), options, answered);
  }

  /** Replaces the connection: calls in progress fail as when it breaks, later calls use the new one. */
  #lose(): void {
    const [client, muxes] = [this.#client, [...this.#muxes.values()]];
    this.#muxes.clear();
    this.#client = this.#connect();
    for (const mux of muxes) mux.close();
    for (const call of [...this.#calls]) call.cancel();
    client.close();
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#onFailure();
  }

  #backOff(): void {
    const now = performance.now();
    // All calls in progress fail with the same broken connection; it counts once.
    if (this.#isClosed || this.isBackingOff(now)) return;
    this.#backoffUntil = now + Math.min(BACKOFF_MS * 2 ** this.#failures++, MAX_BACKOFF_MS);
    this.#onFailure();
  }
}

/** Whether the service rejected the call because it is shutting down: the call did not start, so another replica may accept it. */
export function isShuttingDown(error: unknown): boolean {
  return (error as GatewayError).condition === 'SHUTTING_DOWN';
}
