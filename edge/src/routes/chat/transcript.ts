import { type ServerResponse } from 'node:http';
import { type GatewayError } from '@parley/protos/errors';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { errorEnvelope, sendError } from '../../middleware/errors.ts';
import { getRequestContext } from '../../middleware/request-context.ts';
import { type SseStream } from '../../sse/sse-stream.ts';
import { type ChatChunks } from '../../wire/chat.ts';
import { openAnswerStream } from './answer-stream.ts';
import { type ChatDeps } from './deps.ts';

/** A page that has come to an answer under way. */
interface Page {
  res: ServerResponse;
  requestId: string;
  /** Undefined until the answer is opened. */
  sse: SseStream | undefined;
}

const nothing = () => undefined;

/**
 * What a streamed answer has so far, for pages that come to it while it is under way: each gets it from its beginning, and then what follows. They do
 * not slow the turn down: a page that does not read is cut off as any stalled client, and an answer has an end.
 */
export class Transcript {
  readonly #deps: Pick<ChatDeps, 'streams' | 'config'>;
  readonly #pages = new Set<Page>();
  #opening: { accepted: TurnAccepted; chunks: ChatChunks; frames: string } | undefined;
  #reasoning = '';
  #deltas = '';
  /** Events besides its text. */
  #events = '';

  constructor(deps: Pick<ChatDeps, 'streams' | 'config'>) {
    this.#deps = deps;
  }

  /** The answer waits for its upstream, or is accepted. */
  opened(accepted: TurnAccepted, chunks: ChatChunks, frames: string): void {
    this.#opening = { accepted, chunks, frames };
    for (const page of this.#pages) {
      if (page.sse) page.sse.write(frames);
      else this.#begin(page);
    }
  }

  /** Some of its text or of its reasoning, and the frames of that. */
  said(kind: 'deltas' | 'reasoning', texts: readonly string[], frames: string): void {
    if (kind === 'deltas') this.#deltas += texts.join('');
    else this.#reasoning += texts.join('');
    this.#send(frames);
  }

  /** Something besides its text. */
  event(frames: string): void {
    this.#events += frames;
    this.#send(frames);
  }

  /** Gives a page all of it. */
  join(res: ServerResponse): void {
    const page: Page = { res, requestId: getRequestContext(res.req).id, sse: undefined };
    this.#pages.add(page);
    res.once('close', () => this.#pages.delete(page));
    if (this.#opening) this.#begin(page);
  }

  /** The last frames. */
  end(frames: string): void {
    for (const { sse } of this.#pages) sse?.end(frames);
  }

  /** The answer has failed. */
  fail(error: GatewayError): void {
    for (const { res, requestId, sse } of this.#pages) {
      if (!sse || !this.#opening) {
        sendError(res, requestId, error);
        continue;
      }
      getRequestContext(res.req).error = error;
      sse.end(this.#opening.chunks.failed(errorEnvelope(requestId, error)));
    }
  }

  #begin(page: Page): void {
    if (!this.#opening) return;
    const { accepted, chunks, frames } = this.#opening;
    const reasoning = this.#reasoning === '' ? '' : chunks.reasoning([this.#reasoning]);
    const deltas = this.#deltas === '' ? '' : chunks.deltas([this.#deltas]);
    const stream = { requestId: page.requestId, accepted, onFull: nothing, onDrain: nothing };
    page.sse = openAnswerStream(this.#deps, page.res, stream, frames + reasoning + deltas + this.#events);
  }

  #send(frames: string): void {
    for (const { sse } of this.#pages) sse?.write(frames);
  }
}
