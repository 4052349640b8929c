import { type ListRunEventsResponse, type RunEvent } from '@parley/protos/actions/v1/actions';
import { type ServerResponse } from 'node:http';
import { FlushScheduler } from '../../../../sse/flush-scheduler.ts';
import { type SseOptions, SseStream } from '../../../../sse/sse-stream.ts';
import { toActionRunEvent } from '../../../../wire/action-run.ts';

/** Pause between polls in milliseconds; a notice triggers one at once. */
const POLL_MS = 1_000;
const PAGE = 200;
/** Consecutive polls that may fail before the stream ends; the client can resume it. */
const MAX_FAILURES = 60;

/** The flush scheduler that all run streams share. */
const WINDOW = new FlushScheduler();

/** Options of the event stream of a run. */
export interface RunEventStreamOptions {
  res: ServerResponse;
  sse: Pick<SseOptions, 'headers' | 'pingMs' | 'stalledMs'>;
  /** Reads up to `limit` events after a sequence number. */
  listEvents: (after: number, limit: number) => Promise<ListRunEventsResponse>;
  after: number;
  /** The first page of events, which was already read. */
  firstPage: ListRunEventsResponse;
}

/** Sends the events of one run as server-sent events: past ones first, then new ones until the run has ended. */
export class RunEventStream {
  readonly #parts: RunEventStreamOptions;
  readonly #sse: SseStream;
  #after: number;
  #isOver: boolean;
  #isFull = false;
  #failures = 0;
  #wake: () => void = () => undefined;

  /** Sends the response headers and the first page at once. */
  constructor(parts: RunEventStreamOptions) {
    const { res, sse, firstPage } = parts;
    this.#parts = parts;
    this.#after = firstPage.events.at(-1)?.sequence ?? parts.after;
    this.#isOver = firstPage.complete;
    const flow = { onFull: () => void (this.#isFull = true), onDrain: () => this.#drained() };
    this.#sse = new SseStream(res, { ...sse, ...flow, flushScheduler: WINDOW }, frames(firstPage.events));
  }

  /** Runs the stream; resolves when it has ended: with the run, when the client has left, or when the edge drains. */
  async run(subscribe: (moved: () => void) => () => void, draining: AbortSignal): Promise<void> {
    const { res } = this.#parts;
    const moved = () => this.#wake();
    const stop = () => {
      this.#isOver = true;
      moved();
    };
    const unsubscribe = subscribe(moved);
    res.once('close', stop);
    draining.addEventListener('abort', stop, { once: true });
    if (draining.aborted) stop();
    while (!this.#isOver) {
      await this.#rest();
      if (!this.#isOver && !this.#isFull) await this.#look();
    }
    unsubscribe();
    draining.removeEventListener('abort', stop);
    this.#sse.end('');
  }

  async #look(): Promise<void> {
    try {
      const { events, complete } = await this.#parts.listEvents(this.#after, PAGE);
      this.#failures = 0;
      if (events.length > 0 && !this.#isOver) this.#sse.write(frames(events));
      this.#after = events.at(-1)?.sequence ?? this.#after;
      this.#isOver ||= complete;
      // There may be further pages.
      if (events.length === PAGE && !this.#isOver && !this.#isFull) await this.#look();
    } catch {
      // The service may recover; after too many failures the stream ends.
      if (++this.#failures >= MAX_FAILURES) this.#isOver = true;
    }
  }

  /** Resolves on a notice, or after `POLL_MS`. */
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
