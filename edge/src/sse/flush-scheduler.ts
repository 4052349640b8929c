import { type LinkedSetMember, LinkedSet } from '@parley/kit/collections/linked-set';

/**
 * How long frames are collected when many streams are open, in milliseconds. It is not noticeable, and saves about every second socket
 * write.
 */
const WINDOW_MS = 2;
/** With fewer open streams, every frame is sent at once. */
const MANY = 8;

/** A stream with frames that are not sent yet. */
export interface BufferedStream extends LinkedSetMember {
  flush(): void;
  /** Bytes that the client has not received yet. */
  bufferedBytes(): number;
}

/** Flushes the buffered frames of all streams of the process together, with one timer. */
export class FlushScheduler {
  readonly #open = new LinkedSet<BufferedStream>();
  #waiting: BufferedStream[] = [];

  /** Adds an open stream to the count. */
  addStream(stream: BufferedStream): void {
    this.#open.add(stream);
  }

  /** Removes a stream that has closed. */
  removeStream(stream: BufferedStream): void {
    this.#open.delete(stream);
  }

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Bytes of all open streams that their clients have not received yet. */
  bufferedBytes(): number {
    let bytes = 0;
    for (const stream of this.#open) bytes += stream.bufferedBytes();
    return bytes;
  }

  /** True when frames should be collected before they are sent. */
  get shouldBatch(): boolean {
    return this.#open.size >= MANY;
  }

  /** Flushes the stream within `WINDOW_MS`. */
  scheduleFlush(stream: BufferedStream): void {
    if (this.#waiting.push(stream) === 1) setTimeout(() => this.#close(), WINDOW_MS);
  }

  #close(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const stream of waiting) stream.flush();
  }
}
