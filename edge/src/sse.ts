import { type ServerResponse } from 'node:http';

/** How a stream of server-sent events treats its client. */
export interface SseOptions {
  headers: Record<string, string>;
  /** Pause between keep-alive lines. @default 15_000 */
  pingMs: number;
  /** A client that takes nothing for this long is cut off. @default 60_000 */
  stalledMs: number;
  /** The client is behind: stop producing. */
  onFull(): void;
  /** The client caught up. */
  onDrain(): void;
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A response as a stream of events: keep-alive lines, backpressure, and an end to clients that stopped reading. */
export class SseStream {
  readonly #res: ServerResponse;
  readonly #options: SseOptions;
  readonly #ping: NodeJS.Timeout;
  #stalled: NodeJS.Timeout | undefined;
  #quiet = true;

  constructor(res: ServerResponse, options: SseOptions) {
    this.#res = res;
    this.#options = options;
    res.writeHead(200, { ...HEADERS, ...options.headers });
    this.#ping = setInterval(() => this.#keepAlive(), options.pingMs).unref();
    res.on('close', () => this.#clear());
    res.on('drain', () => this.#drained());
  }

  /** Sends frames that end with a blank line each. */
  write(frames: string): void {
    this.#quiet = false;
    if (this.#res.destroyed || this.#res.write(frames) || this.#stalled) return;
    this.#stalled = setTimeout(() => this.#res.destroy(), this.#options.stalledMs).unref();
    this.#options.onFull();
  }

  /** Sends the last frames and ends the response at once. */
  end(frames: string): void {
    this.#clear();
    if (!this.#res.destroyed) this.#res.end(frames);
  }

  #drained(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
    this.#options.onDrain();
  }

  // A comment line inside an event is skipped by every client; a comment as an event of its own confuses some.
  #keepAlive(): void {
    if (this.#quiet && !this.#stalled && !this.#res.destroyed) this.#res.write(': ping\n');
    this.#quiet = true;
  }

  #clear(): void {
    clearInterval(this.#ping);
    clearTimeout(this.#stalled);
  }
}
