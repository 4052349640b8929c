/**
 * The state of an edge that shuts down, in three steps: serving; shutting down, where probes fail so that load balancers choose other edges
 * and new requests are still served; refusing new requests.
 */
export class ShutdownState {
  readonly #refusing = new AbortController();
  #isShuttingDown = false;

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  /** Aborts when new requests are refused. */
  get refusalSignal(): AbortSignal {
    return this.#refusing.signal;
  }

  beginShutdown(): void {
    this.#isShuttingDown = true;
  }

  refuseNewRequests(): void {
    this.beginShutdown();
    this.#refusing.abort();
  }
}
