/** Largest small body, in bytes. Larger bodies are counted while they are in memory, and are not parsed on the event loop. */
export const SMALL_BODY_BYTES = 256 * 1_024;

/** Smaller pieces of a large body, in bytes, are copied into shared blocks: a buffer for each would take more memory than its bytes. */
const WORTH_KEEPING = 16 * 1_024;
const BLOCK_BYTES = 64 * 1_024;

/**
 * Collects a body in the buffers in which it arrives, and allocates nothing for bytes that have not arrived. It makes no copy in one
 * buffer: together with the network buffers, such copies would trigger a full garbage collection for every large body.
 */
export class BodyBuffer {
  #pieces: Buffer[] = [];
  #block: Buffer | undefined;
  /** Used bytes of the current block. */
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Appends the next bytes. */
  push(piece: Buffer): void {
    const before = this.#size;
    this.#size += piece.length;
    if (this.#size <= SMALL_BODY_BYTES) this.#pieces.push(piece);
    else if (before > SMALL_BODY_BYTES) this.#keep(piece);
    else this.#pieces = [copyPieces([...this.#pieces, piece])];
  }

  /** The bytes so far, in order; each piece of a large body has its own ArrayBuffer. */
  pieces(): readonly Buffer[] {
    this.#closeBlock();
    return this.#pieces;
  }

  #keep(piece: Buffer): void {
    const room = (this.#block?.length ?? 0) - this.#used;
    // A piece that fits into the open block is copied there: a new block for every second piece would double the memory.
    if (piece.length > room && piece.length >= WORTH_KEEPING && ownsMemory(piece)) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    for (let at = 0; at < piece.length;) {
      if (this.#used === this.#block?.length) this.#closeBlock();
      this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const copied = piece.copy(this.#block, this.#used, at);
      this.#used += copied;
      at += copied;
    }
  }

  #closeBlock(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}

/** Returns the bytes of all pieces in one buffer; without a copy when there is one piece. */
export function concatPieces(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

/** Returns a copy of all pieces with its own ArrayBuffer, which can be transferred to another thread. */
export function copyPieces(pieces: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(whole, at);
  return whole;
}

function ownsMemory({ byteLength, buffer }: Buffer): boolean {
  return byteLength === buffer.byteLength;
}
