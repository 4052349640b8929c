import { type BlobReceipt, type BlobStore, BlobTooLargeError } from '@parley/kit/blob/blob-store';
import { GatewayError } from '@parley/protos/errors';
import { Readable } from 'node:stream';

/** Bytes that were stored, with their beginning. */
export interface StoredBlob extends BlobReceipt {
  key: string;
  /** The first 64 KiB. */
  head: Buffer;
}

const HEAD_BYTES = 65_536;

/**
 * Streams bytes into the blob store; stores all of them or none.
 * @throws FILE_TOO_LARGE; UPLOAD_FAILED when the store fails, for example because the disk is full; the errors of `chunks`; the signal's
 * reason
 */
export async function storeBytes(
  blobs: BlobStore,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<StoredBlob> {
  const tap = new Tap(chunks);
  try {
    const receipt = await blobs.put(key, Readable.from(tap.chunks(), { objectMode: false }), { maxBytes, signal });
    return { ...receipt, key, head: tap.head() };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (tap.broke) throw tap.broke.cause;
    if (error instanceof BlobTooLargeError)
      throw new GatewayError('FILE_TOO_LARGE', `the file has more than ${maxBytes} bytes`, { param: 'file' });
    throw new GatewayError('UPLOAD_FAILED', 'the file could not be stored', { cause: error });
  }
}

/** Passes chunks on, and records their beginning and an error of the source. */
class Tap {
  broke: { cause: unknown } | undefined;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #head: Uint8Array[] = [];
  #room = HEAD_BYTES;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#source = chunks[Symbol.asyncIterator]();
  }

  /** Calls `next` explicitly: a destroyed stream throws its own error into the generator, which is not an error of the source. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let item = await this.#next(); !item.done; item = await this.#next()) {
        this.#remember(item.value);
        if (item.value.length > 0) yield item.value;
      }
    } finally {
      await this.#source.return?.();
    }
  }

  head(): Buffer {
    return Buffer.concat(this.#head);
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#source.next();
    } catch (cause) {
      this.broke = { cause };
      throw cause;
    }
  }

  /** Copies the bytes: a subarray would keep the whole chunk in memory. */
  #remember(chunk: Uint8Array): void {
    if (this.#room === 0) return;
    const part = Buffer.from(chunk.subarray(0, this.#room));
    this.#room -= part.length;
    this.#head.push(part);
  }
}
