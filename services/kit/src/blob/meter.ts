import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { type BlobReceipt, BlobTooLarge } from './blob-store.ts';

/** Passes bytes on, counts and hashes them, and fails with BlobTooLarge at the first one too many. */
export class Meter extends Transform {
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  /** What passed; to be asked once, at the end. */
  receipt(): BlobReceipt {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) return done(new BlobTooLarge(`more than ${this.#maxBytes} bytes`));
    this.#hash.update(chunk);
    done(null, chunk);
  }
}
