import { type GatewayError } from '@parley/protos/errors';
import { ErrorResponse } from '../error-response.ts';
import { toBadAnswerError, EventStreamParser } from '../event-stream-parser.ts';
import { type ResponseHandler } from '../upstream-call.ts';
import { toResponseError } from './failures.ts';
import { FrameLengthChecker } from './frame-length-checker.ts';

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
export class ModelResponse implements ResponseHandler {
  readonly #events: ResponseEvents;
  readonly #secret: string;
  #refusal: ErrorResponse | undefined;
  #bound: { push(bytes: Buffer): void } | undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `secret`: the connection's secret, which is redacted because an upstream may quote it. */
  constructor(events: ResponseEvents, secret: string) {
    this.#events = events;
    this.#secret = secret;
  }

  onHead(headers: Headers): void {
    this.#bound = toBound(String(headers['content-type'] ?? ''));
    // Answers are always event streams, so any other response is an error, even with status 200.
    if (!this.#bound) this.#refusal = new ErrorResponse(200, headers);
    else this.#events.answered(new Response(this.#stream(), { status: 200, headers: toHeaders(headers) }));
  }

  onErrorResponse(refusal: ErrorResponse): void {
    const { status, retryAfter } = refusal;
    this.#events.refused(toResponseError({ status, body: refusal.read(), retryAfter, secret: this.#secret }));
  }

  onChunk(bytes: Buffer): void {
    if (this.#refusal) return void this.#refusal.push(bytes);
    try {
      this.#bound?.push(bytes);
    } catch (error) {
      return this.onError(toBadAnswerError(error));
    }
    // Resuming a connection may deliver an empty chunk, which must not pause it again: that would loop forever.
    if (!this.#body || bytes.length === 0) return;
    this.#body.enqueue(bytes);
    if ((this.#body.desiredSize ?? 0) <= 0) this.#events.full(true);
  }

  onEnd(): void {
    if (this.#refusal) this.onErrorResponse(this.#refusal);
    else this.close();
  }

  onError(error: GatewayError): void {
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
  if (type.startsWith('text/event-stream')) return new EventStreamParser(() => undefined);
  return type.startsWith('application/vnd.amazon.eventstream') ? new FrameLengthChecker() : undefined;
}

function toHeaders(headers: Headers): globalThis.Headers {
  const all = new globalThis.Headers();
  for (const [name, value] of Object.entries(headers)) for (const one of [value ?? []].flat()) all.append(name, one);
  return all;
}
