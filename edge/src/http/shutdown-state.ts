/**
 * The state of an edge that shuts down, in three steps: serving; leaving, where probes fail so that load balancers choose other edges and
 * new requests are still served; refusing, where new requests are rejected.
 */
export class ShutdownState {
  readonly #refusing = new AbortController();
  #isLeaving = false;

  get isShuttingDown(): boolean {
    return this.#isLeaving;
  }

  /** Aborts when new requests are refused. */
  get refusalSignal(): AbortSignal {
    return this.#refusing.signal;
  }

  beginShutdown(): void {
    this.#isLeaving = true;
  }

  refuseNewRequests(): void {
    this.beginShutdown();
    this.#refusing.abort();
  }
}
