/**
 * The state of an edge that shuts down, in three steps: serving; leaving, where probes fail so that load balancers choose other edges and
 * new requests are still served; refusing, where new requests are rejected.
 */
export class ShutdownState {
  readonly #refusing = new AbortController();
  #isLeaving = false;

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Aborts when new requests are refused. */
  get refusing(): AbortSignal {
    return this.#refusing.signal;
  }

  leave(): void {
    this.#isLeaving = true;
  }

  refuse(): void {
    this.leave();
    this.#refusing.abort();
  }
}
