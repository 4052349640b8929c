import { type GatewayError } from '@parley/protos/errors';
import { badAnswerError, EventStream } from '../event-stream.ts';
import { RefusalBody } from '../refusal-body.ts';
import { type ResponseReader } from '../upstream-call.ts';
import { FrameBound } from './frame-bound.ts';
import { toRefusedError } from './failures.ts';

type Headers = Record<string, string | string[] | undefined>;

/** What becomes of a response, besides the one that `fetch` answers. */
export interface ResponseEvents {
  answered(response: Response): void;
  /** There is no response, or one that refuses. */
  refused(error: GatewayError): void;
  /** The response broke off; what came before is still to be read. */
  broke(error: GatewayError): void;
  /** Whether more may come. */
  full(isFull: boolean): void;
}

/** Makes of an upstream call the response that `fetch` would answer: a stream with bounds, or a coded error. */
export class ModelResponse implements ResponseReader {
  readonly #events: ResponseEvents;
  readonly #secret: string;
  #refusal: RefusalBody | undefined;
  #bound: { push(bytes: Buffer): void } | undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `secret`: that of the account, which an upstream may quote. */
  constructor(events: ResponseEvents, secret: string) {
    this.#events = events;
    this.#secret = secret;
  }

  head(headers: Headers): void {
    this.#bound = toBound(String(headers['content-type'] ?? ''));
    // A refusal that says 200 is one all the same: no answer is anything but a stream of events.
    if (!this.#bound) this.#refusal = new RefusalBody(200, headers);
    else this.#events.answered(new Response(this.#stream(), { status: 200, headers: toHeaders(headers) }));
  }

  refused(refusal: RefusalBody): void {
    const { status, retryAfter } = refusal;
    this.#events.refused(toRefusedError({ status, body: refusal.read(), retryAfter, secret: this.#secret }));
  }

  chunk(bytes: Buffer): void {
    if (this.#refusal) return void this.#refusal.push(bytes);
    try {
      this.#bound?.push(bytes);
    } catch (error) {
      return this.fail(badAnswerError(error));
    }
    // What resumes a connection may be handed an empty piece, which would pause it again, and so on without end.
    if (!this.#body || bytes.length === 0) return;
    this.#body.enqueue(bytes);
    if ((this.#body.desiredSize ?? 0) <= 0) this.#events.full(true);
  }

  end(): void {
    if (this.#refusal) this.refused(this.#refusal);
    else this.close();
  }

  fail(error: GatewayError): void {
    if (!this.#body) return this.#events.refused(error);
    this.#events.broke(error);
    // An error would throw away what is on its way through the streams of the SDK.
    this.close();
  }

  /** Ends the stream for its reader. */
  close(): void {
    const body = this.#body;
    this.#body = undefined;
    body?.close();
  }

  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#body = controller),
        pull: () => this.#events.full(false),
        cancel: () => void (this.#body = undefined),
      },
      { highWaterMark: 1 },
    );
  }
}

function toBound(contentType: string) {
  const type = contentType.toLowerCase();
  if (type.startsWith('text/event-stream')) return new EventStream(() => undefined);
  return type.startsWith('application/vnd.amazon.eventstream') ? new FrameBound() : undefined;
}

function toHeaders(headers: Headers): globalThis.Headers {
  const all = new globalThis.Headers();
  for (const [name, value] of Object.entries(headers)) for (const one of [value ?? []].flat()) all.append(name, one);
  return all;
}
