import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { type BlobReceipt, BlobTooLargeError } from './blob-store.ts';

/** Passes bytes on, counts and hashes them, and fails with BlobTooLargeError when the limit is exceeded. */
export class HashingStream extends Transform {
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  /** Returns size and hash of the bytes that passed; may be called once, at the end. */
  receipt(): BlobReceipt {
    return { size: this.#size, sha256: this.#hash.digest('hex') };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) return done(new BlobTooLargeError(`more than ${this.#maxBytes} bytes`));
    this.#hash.update(chunk);
    done(null, chunk);
  }
}
