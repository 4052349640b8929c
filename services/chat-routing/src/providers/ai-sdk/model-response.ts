import { type GatewayError } from '@parley/protos/errors';
import { badAnswerError, EventStream } from '../event-stream.ts';
import { RefusalBody } from '../refusal-body.ts';
import { type ResponseReader } from '../upstream-call.ts';
import { FrameLengthChecker } from './frame-bound.ts';
import { toRefusedError } from './failures.ts';

type Headers = Record<string, string | string[] | undefined>;

/** Receives the outcome of a request. */
export interface ResponseEvents {
  answered(response: Response): void;
  /** There is no response, or an error response. */
  refused(error: GatewayError): void;
  /** The response was interrupted; the part that arrived can still be read. */
  broke(error: GatewayError): void;
  /** The response buffer is full, or has capacity again. */
  full(isFull: boolean): void;
}

/** Converts an upstream call to a fetch `Response` with a size-limited stream, or to a coded error. */
export class ModelResponse implements ResponseReader {
  readonly #events: ResponseEvents;
  readonly #secret: string;
  #refusal: RefusalBody | undefined;
  #bound: { push(bytes: Buffer): void } | undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `secret`: the connection's secret, which is redacted because an upstream may quote it. */
  constructor(events: ResponseEvents, secret: string) {
    this.#events = events;
    this.#secret = secret;
  }

  head(headers: Headers): void {
    this.#bound = toBound(String(headers['content-type'] ?? ''));
    // Answers are always event streams, so any other response is an error, even with status 200.
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
    // Resuming a connection may deliver an empty chunk, which must not pause it again: that would loop forever.
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
    // Close instead of erroring the stream: an error would discard what is buffered in the SDK's streams.
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
  return type.startsWith('application/vnd.amazon.eventstream') ? new FrameLengthChecker() : undefined;
}

function toHeaders(headers: Headers): globalThis.Headers {
  const all = new globalThis.Headers();
  for (const [name, value] of Object.entries(headers)) for (const one of [value ?? []].flat()) all.append(name, one);
  return all;
}
