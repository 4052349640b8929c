/** Larger bodies are counted while they are in memory, and are not parsed on the event loop. */
export const SMALL_BYTES = 256 * 1_024;

/** Collects a body: a small one in chunks, a large one in one buffer, so that nothing has to be copied when it is complete. */
export class BodyBytes {
  readonly #expected: number;
  #pieces: Buffer[] = [];
  #whole: Buffer | undefined;
  #size = 0;

  /** `expected`: its largest size in bytes. The buffer is allocated only for a large body. */
  constructor(expected: number) {
    this.#expected = expected;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes the next bytes; together they are not more than expected. */
  push(piece: Buffer): void {
    const before = this.#size;
    this.#size += piece.length;
    if (this.#size <= SMALL_BYTES) this.#pieces.push(piece);
    else if (this.#whole) piece.copy(this.#whole, before);
    else this.#spread(piece);
  }

  /** All bytes; of a large body they have an ArrayBuffer of their own. */
  all(): Buffer {
    if (this.#whole) return this.#whole.subarray(0, this.#size);
    return this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces, this.#size);
  }

  #spread(last: Buffer): void {
    this.#whole = Buffer.allocUnsafeSlow(this.#expected);
    let at = 0;
    for (const piece of [...this.#pieces, last]) at += piece.copy(this.#whole, at);
    this.#pieces = [];
  }
}
