import { type ServerResponse } from 'node:http';
import { type EventSubscriber } from '../../../identity/event-subscriber.ts';
import { FlushScheduler } from '../../../sse/flush-scheduler.ts';
import { type SseOptions, SseStream } from '../../../sse/sse-stream.ts';
import { type SessionRecord } from '../../../store/sessions.ts';
import { type ChangeFeed, type FeedEntry } from '../../../watch/change-feed.ts';
import { RESYNC_FRAME, SESSION_ENDED_FRAME, toFrames } from './frames.ts';

/** Options of a change stream. */
export interface ChangeStreamOptions {
  res: ServerResponse;
  sse: Pick<SseOptions, 'headers' | 'pingMs' | 'stalledMs'>;
  feed: ChangeFeed;
  /** Id of the last event that the page has received; undefined for a new stream. */
  after: string | undefined;
  viewer: EventSubscriber;
  /** Returns the current session; null when it has ended. */
  findSession: () => Promise<SessionRecord | null>;
  findKeyIds: () => Promise<ReadonlySet<string>>;
}

/** Interval of the checks of session and rights, in milliseconds; the lookup is cached, and revocation notices clear the cache. */
const CHECK_MS = 1_000;
/** Interval in which the keys of the person are read again, in milliseconds; they rarely change. */
const KEYS_MS = 30_000;

/** The flush scheduler that all change streams share. */
const WINDOW = new FlushScheduler();

/** Sends the changes that one page may see as server-sent events, until its session ends. */
export class ChangeStream {
  readonly #parts: ChangeStreamOptions;
  readonly #sse: SseStream;
  #viewer: EventSubscriber;
  #isBehind = false;
  #keysReadAt = performance.now();
  #finish: () => void = () => undefined;

  /** Sends the response headers at once. */
  constructor(parts: ChangeStreamOptions) {
    const { res, sse } = parts;
    this.#parts = parts;
    this.#viewer = parts.viewer;
    const flow = { onFull: () => undefined, onDrain: () => this.#caughtUp() };
    this.#sse = new SseStream(res, { ...sse, ...flow, flushScheduler: WINDOW }, ': open\n\n');
  }

  /** Runs the stream; resolves when it has ended: with the session, when the client has left, or when the edge drains. */
  async run(draining: AbortSignal): Promise<void> {
    const { res, feed, after } = this.#parts;
    const ended = new Promise<void>((resolve) => (this.#finish = resolve));
    const unsubscribe = feed.subscribe(after, (entry) => this.#send(entry));
    // Gives a page that has received no event yet an id to resume from.
    if (after === undefined) this.#sse.write(`id: ${feed.newestId}\nevent: ready\ndata: {}\n\n`);
    const checks = setInterval(() => void this.#check(), CHECK_MS).unref();
    res.once('close', this.#finish);
    draining.addEventListener('abort', this.#finish, { once: true });
    if (draining.aborted || res.destroyed) this.#finish();
    await ended;
    clearInterval(checks);
    unsubscribe();
    draining.removeEventListener('abort', this.#finish);
    this.#sse.end('');
  }

  /** A page that does not read misses entries; when it reads again, it gets a resync event. */
  #send(entry: FeedEntry | undefined): void {
    if (this.#isBehind) return;
    if (this.#sse.bufferedBytes() > MAX_BUFFERED) {
      this.#isBehind = true;
      return;
    }
    const frames = entry ? toFrames(entry, this.#viewer) : `id: ${this.#parts.feed.newestId}\n${RESYNC_FRAME}`;
    if (frames !== '') this.#sse.write(frames);
  }

  #caughtUp(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#send(undefined);
  }

  async #check(): Promise<void> {
    try {
      const session = await this.#parts.findSession();
      if (!session) {
        this.#sse.write(SESSION_ENDED_FRAME);
        return this.#finish();
      }
      if (session.rights !== this.#viewer.rights) this.#viewer = { ...this.#viewer, rights: session.rights };
      if (performance.now() - this.#keysReadAt < KEYS_MS) return;
      this.#keysReadAt = performance.now();
      this.#viewer = { ...this.#viewer, keyIds: await this.#parts.findKeyIds() };
    } catch {
      // The session cannot be checked: the page reconnects, and gets an error code when it still cannot.
      this.#finish();
    }
  }
}

/** Most unread bytes of a page before it counts as behind. */
const MAX_BUFFERED = 256 * 1_024;
