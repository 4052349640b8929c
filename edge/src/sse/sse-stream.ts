import { type ServerResponse } from 'node:http';
import { Linked } from '@parley/kit/collections/linked-set';
import { counter } from '@parley/kit/telemetry/meter';
import { type BufferedStream, type FlushScheduler } from './flush-scheduler.ts';

/** How a stream of server-sent events treats its client. */
export interface SseOptions {
  headers: Record<string, string>;
  window: FlushScheduler;
  /** Pause between keep-alive lines. @default 15_000 */
  pingMs: number;
  /** A client that takes nothing for this long is cut off. @default 60_000 */
  stalledMs: number;
  /** The client is behind: stop producing. */
  onFull(): void;
  /** The client caught up. */
  onDrain(): void;
}

const STALLED = counter('parley_stalled_clients_total');

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A comment, which is no event. */
export const PING = ': ping\n\n';

/** Characters that are gathered at most. */
const GATHERED_MOST = 16 * 1_024;

/** A response as a stream of events: keep-alive lines, backpressure, and an end to clients that stopped reading. */
export class SseStream extends Linked implements BufferedStream {
  readonly #res: ServerResponse;
  readonly #options: SseOptions;
  readonly #ping: NodeJS.Timeout;
  /** The client is behind. */
  #full = false;
  #quiet = true;
  #gathered = '';

  /** Sends the head and the first frames at once. */
  constructor(res: ServerResponse, options: SseOptions, firstFrames: string) {
    super();
    this.#res = res;
    this.#options = options;
    options.window.enter(this);
    res.writeHead(200, Object.assign({ ...HEADERS }, options.headers));
    res.write(firstFrames);
    this.#ping = setInterval(() => this.#keepAlive(), options.pingMs).unref();
    res.on('close', () => {
      clearInterval(this.#ping);
      options.window.leave(this);
    });
    res.on('drain', () => this.#drained());
    // The socket's own timeout, since only it sees a client that takes a little now and then.
    res.on('timeout', () => this.#cutOff());
  }

  /** Sends frames that end with a blank line each. */
  write(frames: string): void {
    this.#quiet = false;
    if (!this.#options.window.isCrowded && this.#gathered === '') return this.#send(frames);
    if (this.#gathered === '') this.#options.window.add(this);
    this.#gathered += frames;
    // Gathered frames do not count towards the backpressure of the socket, so they are bounded here.
    if (this.#gathered.length >= GATHERED_MOST) this.flush();
  }

  /** Sends what has been gathered. */
  flush(): void {
    if (this.#gathered === '' || this.#res.writableEnded) return;
    const frames = this.#gathered;
    this.#gathered = '';
    this.#send(frames);
  }

  /** Sends the last frames and ends the response at once. */
  end(frames: string): void {
    clearInterval(this.#ping);
    const last = this.#gathered + frames;
    this.#gathered = '';
    if (this.#res.destroyed) return;
    this.#res.end(last);
    if (this.#res.writableLength > 0) this.#res.setTimeout(this.#options.stalledMs);
  }

  /** Bytes that the client has not taken yet. */
  bufferedBytes(): number {
    return this.#res.writableLength + Buffer.byteLength(this.#gathered);
  }

  #cutOff(): void {
    STALLED.add({});
    this.#res.destroy();
  }

  #send(frames: string): void {
    if (this.#res.destroyed || this.#res.write(frames) || this.#full) return;
    this.#full = true;
    this.#res.setTimeout(this.#options.stalledMs);
    this.#options.onFull();
  }

  #drained(): void {
    this.#full = false;
    this.#res.setTimeout(0);
    this.#options.onDrain();
  }

  // The blank line completes the comment: a client that waits for the end of a block has nothing left over.
  #keepAlive(): void {
    if (this.#quiet && !this.#full && !this.#res.destroyed) this.#res.write(PING);
    this.#quiet = true;
  }
}
