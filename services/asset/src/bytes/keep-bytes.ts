import { Readable } from 'node:stream';
import { type BlobReceipt, type BlobStore, BlobTooLarge } from '@parley/kit/blob/blob-store';
import { GatewayError } from '@parley/protos/errors';

/** Bytes that have been kept, and how they begin. */
export interface KeptStream extends BlobReceipt {
  key: string;
  /** The first 64 KiB. */
  head: Buffer;
}

const HEAD_BYTES = 65_536;

/**
 * Streams bytes into the blob store; all of them are kept or none.
 * @throws FILE_TOO_LARGE; UPLOAD_FAILED when the store cannot take them, as when the disk is full; what `chunks` throws; the signal's reason
 */
export async function keepBytes(
  blobs: BlobStore,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<KeptStream> {
  const tap = new Tap(chunks);
  try {
    const receipt = await blobs.put(key, Readable.from(tap.chunks(), { objectMode: false }), { maxBytes, signal });
    return { ...receipt, key, head: tap.head() };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (tap.broke) throw tap.broke.cause;
    if (error instanceof BlobTooLarge)
      throw new GatewayError('FILE_TOO_LARGE', `the file has more than ${maxBytes} bytes`, { param: 'file' });
    throw new GatewayError('UPLOAD_FAILED', 'the file could not be stored', { cause: error });
  }
}

/** Passes chunks on, remembers how they begin, and whether it was they who failed. */
class Tap {
  broke: { cause: unknown } | undefined;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #head: Uint8Array[] = [];
  #room = HEAD_BYTES;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#source = chunks[Symbol.asyncIterator]();
  }

  /** Asked with `next` by hand: a stream that is destroyed throws its own failure into the generator, which is not the source's. */
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

  /** A copy: a part of a chunk would keep all of it. */
  #remember(chunk: Uint8Array): void {
    if (this.#room === 0) return;
    const part = Buffer.from(chunk.subarray(0, this.#room));
    this.#room -= part.length;
    this.#head.push(part);
  }
}
