import { type ServerResponse } from 'node:http';
import { type Viewer } from '../../../identity/viewer.ts';
import { FlushScheduler } from '../../../sse/flush-scheduler.ts';
import { type SseOptions, SseStream } from '../../../sse/sse-stream.ts';
import { type SessionRecord } from '../../../store/sessions.ts';
import { type ChangeFeed, type FeedEntry } from '../../../watch/change-feed.ts';
import { RESYNC, SESSION_ENDED, toFrames } from './frames.ts';

/** Dependencies of a stream of changes. */
export interface LiveChangesParts {
  res: ServerResponse;
  sse: Pick<SseOptions, 'headers' | 'pingMs' | 'stalledMs'>;
  feed: ChangeFeed;
  /** The id that the page has seen last. */
  after: string | undefined;
  viewer: Viewer;
  /** The session as it is now; null when it has ended. */
  findSession: () => Promise<SessionRecord | null>;
  findKeyIds: () => Promise<ReadonlySet<string>>;
}

/** How often the session and its rights are looked at; the lookup is cached, and notices of revocation empty the cache. */
const CHECK_MS = 1_000;
/** Keys of a person seldom change. */
const KEYS_MS = 30_000;

/** One window for the streams of all pages. */
const WINDOW = new FlushScheduler();

/** The changes that one page sees, as server-sent events, until its session ends. */
export class LiveChanges {
  readonly #parts: LiveChangesParts;
  readonly #sse: SseStream;
  #viewer: Viewer;
  #isBehind = false;
  #keysReadAt = performance.now();
  #finish: () => void = () => undefined;

  /** Sends the head at once. */
  constructor(parts: LiveChangesParts) {
    const { res, sse } = parts;
    this.#parts = parts;
    this.#viewer = parts.viewer;
    const flow = { onFull: () => undefined, onDrain: () => this.#caughtUp() };
    this.#sse = new SseStream(res, { ...sse, ...flow, window: WINDOW }, ': open\n\n');
  }

  /** Resolves when the stream has ended: with the session, when its client is gone, or when the edge drains. */
  async follow(draining: AbortSignal): Promise<void> {
    const { res, feed, after } = this.#parts;
    const ended = new Promise<void>((resolve) => (this.#finish = resolve));
    const unfollow = feed.follow(after, (entry) => this.#send(entry));
    // From here a page that has received nothing yet can go on.
    if (after === undefined) this.#sse.write(`id: ${feed.head}\nevent: ready\ndata: {}\n\n`);
    const checks = setInterval(() => void this.#check(), CHECK_MS).unref();
    res.once('close', this.#finish);
    draining.addEventListener('abort', this.#finish, { once: true });
    if (draining.aborted || res.destroyed) this.#finish();
    await ended;
    clearInterval(checks);
    unfollow();
    draining.removeEventListener('abort', this.#finish);
    this.#sse.end('');
  }

  /** A page that does not read misses entries, and reads everything again once it does. */
  #send(entry: FeedEntry | undefined): void {
    if (this.#isBehind) return;
    if (this.#sse.bufferedBytes() > MAX_BUFFERED) {
      this.#isBehind = true;
      return;
    }
    const frames = entry ? toFrames(entry, this.#viewer) : `id: ${this.#parts.feed.head}\n${RESYNC}`;
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
        this.#sse.write(SESSION_ENDED);
        return this.#finish();
      }
      if (session.rights !== this.#viewer.rights) this.#viewer = { ...this.#viewer, rights: session.rights };
      if (performance.now() - this.#keysReadAt < KEYS_MS) return;
      this.#keysReadAt = performance.now();
      this.#viewer = { ...this.#viewer, keyIds: await this.#parts.findKeyIds() };
    } catch {
      // The session cannot be checked: the page asks again, and gets a coded error if it still cannot.
      this.#finish();
    }
  }
}

/** What a page may have outstanding. */
const MAX_BUFFERED = 256 * 1_024;
