import type { BlobStore } from '@parley/kit/blob/blob-store';
import { GatewayError } from '@parley/protos/errors';
import type { KeptStream } from './keep-bytes.ts';

/** Decides by the beginning of a file and, where it is not too large, by all of it. */
export type CheckContent<T> = (head: Buffer, whole: Buffer | undefined) => T;

/** Larger files are judged by how they begin. */
const WHOLE_BYTES = 10 * 1_024 ** 2;
/** Files that are in memory at once. */
const AT_ONCE = 2;

/** Lets kept bytes be looked at without ever having more than two files in memory. */
export class Examiner {
  readonly #blobs: BlobStore;
  #free = AT_ONCE;
  #waiting: (() => void)[] = [];

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** What `judge` says. @throws UPLOAD_FAILED when the store cannot be read */
  async examine<T>({ key, size, head }: KeptStream, check: CheckContent<T>): Promise<T> {
    if (size <= head.length) return check(head, head);
    if (size > WHOLE_BYTES) return check(head, undefined);
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
