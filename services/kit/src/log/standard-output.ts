import { write, writeSync } from 'node:fs';
import { type DestinationStream } from 'pino';

const STDOUT = 1;
/** PIPE_BUF of Linux: a write of at most this many bytes to a pipe is atomic. */
const ATOMIC_BYTES = 4_096;
/** Lines are written once they are `ATOMIC_BYTES` characters, or after this time. */
const PERIOD_MS = 200;
const RETRY_MS = 10;
/** Maximum number of characters that wait for a slow reader; further lines are dropped. */
const MAX_WAITING = 16 * 1_024 * 1_024;
/** Attempts of the last flush, `RETRY_MS` apart. */
const LAST_TRIES = 200;

/**
 * Standard output as a log destination: written in the background, flushed when the process exits. Not pino's own stream, which retries its
 * last flush forever when the reader is gone, so that the process never ends.
 */
export class StandardOutput implements DestinationStream {
  #waiting = '';
  #inFlight: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor() {
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#closed || this.#waiting.length > MAX_WAITING) return;
    this.#waiting += line;
    if (this.#waiting.length >= ATOMIC_BYTES) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), PERIOD_MS).unref();
  }

  /**
   * Writes all waiting lines in bounded time; drops them when the reader is gone. The write in flight runs on another thread and may still
   * take effect, so its lines are written again, and every write is atomic: one larger write could be split by the one in flight.
   */
  flushSync(): void {
    let tries = 0;
    let rest = this.#inFlight ?? this.#take();
    this.#inFlight = undefined;
    while (rest.length > 0 && tries < LAST_TRIES && !this.#closed) {
      try {
        rest = rest.subarray(writeSync(STDOUT, rest));
        if (rest.length === 0) rest = this.#take();
      } catch (error) {
        if (!isBusy(error)) break;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
    this.#waiting = '';
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#inFlight || this.#waiting === '') return;
    this.#inFlight = this.#take();
    this.#send();
  }

  /** Removes whole lines from the queue, as many as fit in one atomic write, or one line that is longer. */
  #take(): Buffer {
    const lines = firstLines(this.#waiting);
    this.#waiting = this.#waiting.slice(lines.length);
    return Buffer.from(lines);
  }

  #send(): void {
    const bytes = this.#inFlight;
    if (!bytes) return;
    write(STDOUT, bytes, (error, written) => {
      if (this.#inFlight !== bytes) return;
      if (error && !isBusy(error)) return this.#lose();
      this.#inFlight = written < bytes.length ? bytes.subarray(written) : undefined;
      if (error) setTimeout(() => this.#send(), RETRY_MS).unref();
      else if (this.#inFlight) this.#send();
      else this.#flush();
    });
  }

  /** The reader is gone: drops all lines from now on. */
  #lose(): void {
    this.#closed = true;
    this.#inFlight = undefined;
    this.#waiting = '';
  }
}

function firstLines(text: string): string {
  for (let limit = ATOMIC_BYTES; ; limit >>= 1) {
    const end = text.length <= limit ? text.length : text.lastIndexOf('\n', limit - 1) + 1;
    if (end === 0) return text.slice(0, text.indexOf('\n') + 1 || undefined);
    const lines = text.slice(0, end);
    if (Buffer.byteLength(lines) <= ATOMIC_BYTES) return lines;
  }
}

function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
