import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { GatewayError } from '@parley/protos/errors';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** One event of an upstream may be this large; beyond it the upstream is broken and memory must stay flat. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** What reading a response threw, as a coded error: what is none comes of data that makes no sense. */
export function badAnswerError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that makes no sense', { cause: thrown });
}

/** Feeds the bytes of an SSE response to `onEvent`. Throws PROVIDER_BAD_ANSWER on bytes that are no UTF-8 and on a huge event. */
export class EventStream {
  readonly #parser;
  #decoder: TextDecoder | undefined;
  #sinceEvent = 0;

  constructor(onEvent: (event: EventSourceMessage) => void) {
    this.#parser = createParser({
      onEvent: (event) => {
        this.#sinceEvent = 0;
        onEvent(event);
      },
    });
  }

  push(bytes: Buffer): void {
    this.#sinceEvent += bytes.length;
    this.#parser.feed(this.#decode(bytes));
    if (this.#sinceEvent > MAX_EVENT_BYTES) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an event beyond 8 MB');
  }

  // ASCII needs no decoder, and most chunks are ASCII. Once a character may be split over chunks, the decoder keeps the rest.
  #decode(bytes: Buffer): string {
    if (!this.#decoder && isAscii(bytes)) return bytes.toString('latin1');
    this.#decoder ??= new TextDecoder('utf-8', { fatal: true });
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch (cause) {
      throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent bytes that are no UTF-8', { cause });
    }
  }
}
