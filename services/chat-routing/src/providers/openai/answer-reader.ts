import { GatewayError } from '@parley/protos/errors';
import { type EventSourceMessage } from 'eventsource-parser';
import { toBadAnswerError, EventStreamParser } from '../event-stream-parser.ts';
import { type UpstreamArtifact } from '../upstream-turn.ts';
import { listArtifacts } from './artifacts.ts';
import { findErrorByCode } from './failures.ts';
import { eventSchemas, type OutputItem } from './wire.ts';

/** The end of an answer. */
export interface AnswerEnd {
  finishReason: string;
  /** Id of the last item of a completed answer, which is then part of the upstream conversation; undefined for an incomplete one. */
  lastItemId: string | undefined;
  usage: { tokensIn: number; tokensOut: number } | undefined;
  /** The model that answered, as the upstream names it. */
  model: string | undefined;
}

/** Receives the events of an answer: `begun` once and first, `ended` last. */
export interface AnswerListener {
  /** The upstream has begun the answer; `response` is its response id. */
  begun(response: string): void;
  /** Texts that arrived together. */
  deltas(texts: string[]): void;
  /** Reasoning texts. */
  reasoning(texts: string[]): void;
  artifact(artifact: UpstreamArtifact): void;
  ended(end: AnswerEnd): void;
}

/** Parses the event stream of a Responses API answer and passes its events to a listener. */
export class AnswerReader {
  readonly #listener: AnswerListener;
  readonly #events = new EventStreamParser((event) => this.#read(event));
  #response = '';
  #isOver = false;
  #isRefusal = false;
  #last: string | undefined;
  /** The message whose text is arriving. */
  #speaking = '';
  readonly #announced = new Set<string>();
  #texts: string[] = [];

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  /** Parses bytes of the stream. Throws a coded error for an invalid event or an error event, after passing on the text before it. */
  push(bytes: Buffer): void {
    try {
      this.#events.push(bytes);
    } catch (error) {
      throw toBadAnswerError(error);
    } finally {
      this.#flush();
    }
  }

  #read({ event = '', data }: EventSourceMessage): void {
    if (this.#isOver) return;
    switch (event) {
      case 'response.created':
      case 'response.queued':
        return this.#begin(eventSchemas[event].parse(JSON.parse(data)).response.id);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta': {
        const { delta } = eventSchemas[event].parse(JSON.parse(data));
        this.#requireBegun();
        this.#flush();
        if (delta !== '') this.#listener.reasoning([delta]);
        return;
      }
      case 'response.output_text.delta':
      case 'response.refusal.delta': {
        const { item_id, delta } = eventSchemas[event].parse(JSON.parse(data));
        this.#requireBegun();
        if (event === 'response.refusal.delta') this.#isRefusal = true;
        // An answer may have several messages.
        if (this.#speaking !== '' && this.#speaking !== item_id) this.#texts.push('\n\n');
        this.#speaking = item_id;
        if (delta !== '') this.#texts.push(delta);
        return;
      }
      case 'response.output_item.done':
        this.#requireBegun();
        return this.#take(eventSchemas[event].parse(JSON.parse(data)).item);
      case 'response.completed':
      case 'response.incomplete': {
        const { incomplete_details, usage, model } = eventSchemas[event].parse(JSON.parse(data)).response;
        this.#requireBegun();
        this.#flush();
        this.#isOver = true;
        return this.#listener.ended({
          finishReason: REASONS[incomplete_details?.reason ?? ''] ?? (this.#isRefusal ? 'content_filter' : 'stop'),
          lastItemId: event === 'response.completed' ? this.#last : undefined,
          usage: usage ? { tokensIn: usage.input_tokens, tokensOut: usage.output_tokens } : undefined,
          model,
        });
      }
      case 'response.failed':
        throw failed(eventSchemas[event].parse(JSON.parse(data)).response.error?.code);
      case 'error':
        throw failed(eventSchemas.error.parse(JSON.parse(data)).code);
      default:
    }
  }

  #begin(response: string): void {
    if (this.#response) return;
    this.#response = response;
    this.#listener.begun(response);
  }

  #requireBegun(): void {
    if (!this.#response) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered a turn that it had not begun');
  }

  #take(item: OutputItem): void {
    this.#last = item.id;
    for (const artifact of listArtifacts(item, this.#response)) {
      // A file may be cited more than once.
      if (this.#announced.has(artifact.reference)) continue;
      this.#announced.add(artifact.reference);
      this.#flush();
      this.#listener.artifact(artifact);
    }
  }

  #flush(): void {
    if (this.#texts.length > 0) this.#listener.deltas(this.#texts.splice(0));
  }
}

const REASONS: Readonly<Record<string, string>> = { max_output_tokens: 'length', content_filter: 'content_filter' };

function failed(code: string | null | undefined): GatewayError {
  return findErrorByCode(code ?? '') ?? new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering');
}
