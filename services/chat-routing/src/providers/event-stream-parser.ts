import { GatewayError } from '@parley/protos/errors';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Maximum bytes of one upstream event; bounds memory use. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** Converts what reading a response threw to a coded error: PROVIDER_BAD_ANSWER unless it already is a GatewayError. */
export function toBadAnswerError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that makes no sense', { cause: thrown });
}

/**
 * Parses an SSE response and passes its events to `onEvent`. `push` throws PROVIDER_BAD_ANSWER for invalid UTF-8 and for an event above 8
 * MB.
 */
export class EventStreamParser {
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

  // Most chunks are ASCII, which needs no decoder. From the first other chunk on, a decoder handles characters that are split over chunks.
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
