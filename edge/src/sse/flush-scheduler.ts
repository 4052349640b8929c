import { type Linked, LinkedSet } from '@parley/kit/collections/linked-set';

/** How long frames are gathered when many streams are open. No reader notices it, and it saves about every second socket write. */
const WINDOW_MS = 2;
/** With fewer open streams than this every frame leaves at once. */
const MANY = 8;

/** A stream with frames that are not sent yet. */
export interface BufferedStream extends Linked {
  flush(): void;
  /** Bytes that its client has not taken yet. */
  bufferedBytes(): number;
}

/** Flushes the waiting frames of all streams of the process together, with one timer. */
export class FlushScheduler {
  readonly #open = new LinkedSet<BufferedStream>();
  #waiting: BufferedStream[] = [];

  /** Keeps an open stream until it leaves. */
  enter(stream: BufferedStream): void {
    this.#open.add(stream);
  }

  /** Forgets a stream that has closed. */
  leave(stream: BufferedStream): void {
    this.#open.delete(stream);
  }

  /** Open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Bytes of open streams that their clients have not taken yet. */
  bufferedBytes(): number {
    let bytes = 0;
    for (const stream of this.#open) bytes += stream.bufferedBytes();
    return bytes;
  }

  /** Whether frames should wait for each other. */
  get isCrowded(): boolean {
    return this.#open.size >= MANY;
  }

  /** Flushes the stream within `WINDOW_MS`. */
  add(stream: BufferedStream): void {
    if (this.#waiting.push(stream) === 1) setTimeout(() => this.#close(), WINDOW_MS);
  }

  #close(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const stream of waiting) stream.flush();
  }
}
