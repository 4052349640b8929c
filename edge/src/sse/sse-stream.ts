import { LinkedSetMember } from '@parley/kit/collections/linked-set';
import { counter } from '@parley/kit/telemetry/meter';
import { type ServerResponse } from 'node:http';
import { type BufferedStream, type FlushScheduler } from './flush-scheduler.ts';

/** Options of a stream of server-sent events. */
export interface SseOptions {
  headers: Record<string, string>;
  flushScheduler: FlushScheduler;
  /** Milliseconds between keep-alive comments. @default 15_000 */
  pingMs: number;
  /** Milliseconds after which a client that receives nothing is disconnected. @default 60_000 */
  stalledMs: number;
  /** Called when the client is slower than the stream: stop producing. */
  onFull(): void;
  /** Called when the client has caught up. */
  onDrain(): void;
}

const STALLED = counter('parley_stalled_clients_total');

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A keep-alive comment, which clients do not see as an event. */
export const PING = ': ping\n\n';

/** Most characters that are collected before they are sent. */
const GATHERED_MOST = 16 * 1_024;

/** A response as a stream of server-sent events, with keep-alive comments and backpressure. Disconnects clients that stopped reading. */
export class SseStream extends LinkedSetMember implements BufferedStream {
  readonly #res: ServerResponse;
  readonly #options: SseOptions;
  readonly #ping: NodeJS.Timeout;
  /** True while the client is slower than the stream. */
  #full = false;
  #quiet = true;
  #gathered = '';

  /** Sends the head and the first frames at once. */
  constructor(res: ServerResponse, options: SseOptions, firstFrames: string) {
    super();
    this.#res = res;
    this.#options = options;
    options.flushScheduler.addStream(this);
    res.writeHead(200, Object.assign({ ...HEADERS }, options.headers));
    res.write(firstFrames);
    this.#ping = setInterval(() => this.#keepAlive(), options.pingMs).unref();
    res.on('close', () => {
      clearInterval(this.#ping);
      options.flushScheduler.removeStream(this);
    });
    res.on('drain', () => this.#drained());
    // Uses the timeout of the socket, because only the socket sees a client that reads a little now and then.
    res.on('timeout', () => this.#cutOff());
  }

  /** Sends frames; each must end with a blank line. */
  write(frames: string): void {
    this.#quiet = false;
    if (!this.#options.flushScheduler.shouldBatch && this.#gathered === '') return this.#send(frames);
    if (this.#gathered === '') this.#options.flushScheduler.scheduleFlush(this);
    this.#gathered += frames;
    // Collected frames do not count towards the backpressure of the socket, so they are limited here.
    if (this.#gathered.length >= GATHERED_MOST) this.flush();
  }

  /** Sends the collected frames. */
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

  /** Bytes that the client has not received yet. */
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

  // The blank line completes the comment, so that a client that splits at blank lines has no remainder.
  #keepAlive(): void {
    if (this.#quiet && !this.#full && !this.#res.destroyed) this.#res.write(PING);
    this.#quiet = true;
  }
}
