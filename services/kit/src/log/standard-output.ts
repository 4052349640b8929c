import { write, writeSync } from 'node:fs';
import { type DestinationStream } from 'pino';

const STDOUT = 1;
/** Lines leave together once they are this many characters, or after `PERIOD_MS`. */
const TOGETHER = 4_096;
const PERIOD_MS = 200;
const RETRY_MS = 10;
/** Lines that a slow reader may leave waiting, in characters; beyond it they are dropped. */
const MAX_WAITING = 16 * 1_024 * 1_024;
/** Tries at the last flush, `RETRY_MS` apart. */
const LAST_TRIES = 200;

/**
 * Standard output as a log destination: written in the background, flushed when the process exits.
 * Of our own because pino's stream tries its last flush for ever when the reader has gone, and the process never ends.
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
    if (this.#waiting.length >= TOGETHER) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), PERIOD_MS).unref();
  }

  /** Writes what waits, in bounded time; gives up when nobody reads. What is in flight is written again: twice is better than never. */
  flushSync(): void {
    let rest = Buffer.concat([this.#inFlight ?? Buffer.alloc(0), Buffer.from(this.#waiting)]);
    this.#inFlight = undefined;
    this.#waiting = '';
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES && !this.#closed;) {
      try {
        rest = rest.subarray(writeSync(STDOUT, rest));
      } catch (error) {
        if (!isBusy(error)) return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#inFlight || this.#waiting === '') return;
    this.#inFlight = Buffer.from(this.#take());
    this.#send();
  }

  /** Whole lines, as many as a pipe takes in one piece: what is written twice is never cut. */
  #take(): string {
    const end = this.#waiting.length <= TOGETHER ? this.#waiting.length : this.#waiting.lastIndexOf('\n', TOGETHER - 1) + 1;
    const lines = this.#waiting.slice(0, end || this.#waiting.indexOf('\n') + 1 || undefined);
    this.#waiting = this.#waiting.slice(lines.length);
    return lines;
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

  /** The reader has gone: from now on nothing is kept. */
  #lose(): void {
    this.#closed = true;
    this.#inFlight = undefined;
    this.#waiting = '';
  }
}

function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
