/**
 * How far an edge has come with its end. It serves; then it leaves: probes fail, so that balancers turn to other edges, and what they still send is
 * served; then it refuses what is new.
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
