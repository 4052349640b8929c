import { type GatewayError } from '@parley/protos/errors';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { type ServerResponse } from 'node:http';
import { toErrorEnvelope, sendError } from '../../middleware/errors.ts';
import { getRequestContext } from '../../middleware/request-context.ts';
import { type SseStream } from '../../sse/sse-stream.ts';
import { type ChatChunkWriter } from '../../wire/chat.ts';
import { openAnswerStream } from './answer-stream.ts';
import { type ChatDeps } from './deps.ts';

/** A further client of an answer in progress. */
interface Page {
  res: ServerResponse;
  requestId: string;
  /** Undefined until the answer has started. */
  sse: SseStream | undefined;
}

const nothing = () => undefined;

/**
 * Records a streamed answer in progress and replays it to further clients: each gets the answer from its start, and then what follows. They
 * do not slow the turn down: one that does not read is cut off like any stalled client.
 */
export class AnswerReplay {
  readonly #deps: Pick<ChatDeps, 'streams' | 'config'>;
  readonly #pages = new Set<Page>();
  #opening: { accepted: TurnAccepted; chunks: ChatChunkWriter; frames: string } | undefined;
  #reasoning = '';
  #deltas = '';
  /** Frames other than its text and reasoning. */
  #events = '';

  constructor(deps: Pick<ChatDeps, 'streams' | 'config'>) {
    this.#deps = deps;
  }

  /** Starts the answer: it waits for its upstream, or was accepted. Sends the first frames to the added clients. */
  start(accepted: TurnAccepted, chunks: ChatChunkWriter, frames: string): void {
    this.#opening = { accepted, chunks, frames };
    for (const page of this.#pages) {
      if (page.sse) page.sse.write(frames);
      else this.#begin(page);
    }
  }

  /** Adds text or reasoning, and sends its frames. */
  addText(kind: 'deltas' | 'reasoning', texts: readonly string[], frames: string): void {
    if (kind === 'deltas') this.#deltas += texts.join('');
    else this.#reasoning += texts.join('');
    this.#send(frames);
  }

  /** Adds other frames, such as lifecycle events, and sends them. */
  addFrames(frames: string): void {
    this.#events += frames;
    this.#send(frames);
  }

  /** Adds a client and sends it the whole answer, from its start. */
  addClient(res: ServerResponse): void {
    const page: Page = { res, requestId: getRequestContext(res.req).id, sse: undefined };
    this.#pages.add(page);
    res.once('close', () => this.#pages.delete(page));
    if (this.#opening) this.#begin(page);
  }

  /** Sends the last frames and ends the streams. */
  end(frames: string): void {
    for (const { sse } of this.#pages) sse?.end(frames);
  }

  /** Sends the error to all added clients. */
  fail(error: GatewayError): void {
    for (const { res, requestId, sse } of this.#pages) {
      if (!sse || !this.#opening) {
        sendError(res, requestId, error);
        continue;
      }
      getRequestContext(res.req).error = error;
      sse.end(this.#opening.chunks.failed(toErrorEnvelope(requestId, error)));
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
