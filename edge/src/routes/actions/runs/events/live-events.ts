import { type ServerResponse } from 'node:http';
import { type ListRunEventsResponse, type RunEvent } from '@parley/protos/actions/v1/actions';
import { FlushScheduler } from '../../../../sse/flush-scheduler.ts';
import { type SseOptions, SseStream } from '../../../../sse/sse-stream.ts';
import { toActionRunEvent } from '../../../../wire/action-run.ts';

/** Pause between polls; a notice triggers one at once. */
const POLL_MS = 1_000;
const PAGE = 200;
/** Consecutive polls that may fail; then the stream ends, and the client asks again from where it was. */
const MAX_FAILURES = 60;

/** One window for the streams of all runs. */
const WINDOW = new FlushScheduler();

/** Dependencies of a stream of events. */
export interface LiveEventsParts {
  res: ServerResponse;
  sse: Pick<SseOptions, 'headers' | 'pingMs' | 'stalledMs'>;
  /** The events after a number. */
  read: (after: number, limit: number) => Promise<ListRunEventsResponse>;
  after: number;
  /** The first page, which has been read. */
  first: ListRunEventsResponse;
}

/** The events of one run as server-sent events: what has happened, and what happens from now on, until the run has ended. */
export class LiveEvents {
  readonly #parts: LiveEventsParts;
  readonly #sse: SseStream;
  #after: number;
  #isOver: boolean;
  #isFull = false;
  #failures = 0;
  #wake: () => void = () => undefined;

  /** Sends the head and the first page at once. */
  constructor(parts: LiveEventsParts) {
    const { res, sse, first } = parts;
    this.#parts = parts;
    this.#after = first.events.at(-1)?.sequence ?? parts.after;
    this.#isOver = first.complete;
    const flow = { onFull: () => void (this.#isFull = true), onDrain: () => this.#drained() };
    this.#sse = new SseStream(res, { ...sse, ...flow, window: WINDOW }, frames(first.events));
  }

  /** Resolves when the stream has ended: with the run, when its client is gone, or when the edge drains. */
  async follow(subscribe: (moved: () => void) => () => void, draining: AbortSignal): Promise<void> {
    const { res } = this.#parts;
    const moved = () => this.#wake();
    const stop = () => {
      this.#isOver = true;
      moved();
    };
    const unfollow = subscribe(moved);
    res.once('close', stop);
    draining.addEventListener('abort', stop, { once: true });
    if (draining.aborted) stop();
    while (!this.#isOver) {
      await this.#rest();
      if (!this.#isOver && !this.#isFull) await this.#look();
    }
    unfollow();
    draining.removeEventListener('abort', stop);
    this.#sse.end('');
  }

  async #look(): Promise<void> {
    try {
      const { events, complete } = await this.#parts.read(this.#after, PAGE);
      this.#failures = 0;
      if (events.length > 0 && !this.#isOver) this.#sse.write(frames(events));
      this.#after = events.at(-1)?.sequence ?? this.#after;
      this.#isOver ||= complete;
      // There may be more than a page.
      if (events.length === PAGE && !this.#isOver && !this.#isFull) await this.#look();
    } catch {
      // The service may recover; the stream ends when it does not.
      if (++this.#failures >= MAX_FAILURES) this.#isOver = true;
    }
  }

  /** Resolves on a notice, or after a second. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #drained(): void {
    this.#isFull = false;
    this.#wake();
  }
}

function frames(events: readonly RunEvent[]): string {
  return events
    .map((event) => `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(toActionRunEvent(event))}\n\n`)
    .join('');
}
