import { type BlobStore } from '@parley/kit/blob/blob-store';
import { MAX_FILE_BYTES } from '@parley/kit/rpc/open-file-stream';
import { GatewayError } from '@parley/protos/errors';
import { type StoredBlob } from './store-bytes.ts';

/** Checks the first bytes of a file and, up to `MAX_FILE_BYTES`, the whole file; returns or throws its result. */
export type ContentCheck<T> = (head: Buffer, whole: Buffer | undefined) => T;

/** Maximum number of whole files in memory. */
const AT_ONCE = 2;

/** Checks the content of stored files with at most two whole files in memory. */
export class ContentChecker {
  readonly #blobs: BlobStore;
  #free = AT_ONCE;
  #waiting: (() => void)[] = [];

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** Returns the result of `check` for a stored file. @throws UPLOAD_FAILED when the store cannot be read; the errors of `check` */
  async check<T>({ key, size, head }: StoredBlob, check: ContentCheck<T>): Promise<T> {
    if (size <= head.length) return check(head, head);
    if (size > MAX_FILE_BYTES) return check(head, undefined);
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      return check(head, await this.#read(key, size));
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async #read(key: string, size: number): Promise<Buffer> {
    const whole = Buffer.alloc(size);
    let at = 0;
    try {
      for await (const chunk of await this.#blobs.getRange(key)) at += (chunk as Buffer).copy(whole, at);
    } catch (cause) {
      throw new GatewayError('UPLOAD_FAILED', 'the stored file could not be read', { cause });
    }
    return whole;
  }
}
