import { GatewayError } from '@parley/protos/errors';
import { type EventSourceMessage } from 'eventsource-parser';
import { badAnswer, EventStream } from '../event-stream.ts';
import { type Pools } from '../pools.ts';
import { type TurnSink, type UpstreamHold, type UpstreamTurn } from '../provider.ts';
import { type ResponseReader, UpstreamCall } from '../upstream-call.ts';
import { bearer } from './session.ts';
import { events, failureOf, refused, type UpstreamState, upstreamState } from './wire.ts';

/** How long a stopped generation may take to say so before the connection is closed on it. */
const STOP_MS = 5_000;
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Puts a turn to the sandbox, which keeps the conversation as a tree: the new messages hang below the last one we know. */
export function chat(pools: Pools, turn: UpstreamTurn, sink: TurnSink): UpstreamHold {
  return new SandboxCall(pools, turn, sink);
}

class SandboxCall implements UpstreamHold, ResponseReader {
  readonly #pools: Pools;
  readonly #turn: UpstreamTurn;
  readonly #sink: TurnSink;
  readonly #call: UpstreamCall;
  readonly #events = new EventStream((event) => this.#read(event));
  #state: UpstreamState | undefined;
  #refusal: { status: number; retryAfter: string | string[] | undefined; bytes: Buffer[]; size: number } | undefined;
  #texts: string[] = [];
  #over = false;
  #stopTimer: NodeJS.Timeout | undefined;

  constructor(pools: Pools, turn: UpstreamTurn, sink: TurnSink) {
    this.#pools = pools;
    this.#turn = turn;
    this.#sink = sink;
    const known = readState(turn.upstreamState);
    const body = {
      parent_id: known?.message ?? null,
      client_turn_id: turn.turnId,
      ...(turn.repeats && { again: true }),
      model: turn.model,
      messages: turn.messages.map(({ role, text, parts }) => ({ role, content: text, images: imagesOf(parts) })),
    };
    const { pool, path: base } = pools.of(turn.account.baseUrl);
    const path = `${base}/api/conversations/${encodeURIComponent(known?.conversation ?? 'new')}/messages`;
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...bearer(turn.account) };
    this.#call = new UpstreamCall(pool, { path, headers, body: JSON.stringify(body) }, turn.deadlines, this);
  }

  pause(): void {
    this.#call.pause();
  }

  resume(): void {
    this.#call.resume();
  }

  /** Asks the sandbox to stop; its `done` then tells where the conversation stands. Before acceptance there is nothing to ask about. */
  stop(): void {
    if (this.#over || this.#stopTimer) return;
    this.#call.resume();
    this.#stopTimer = setTimeout(() => this.#finish('stop'), STOP_MS);
    if (this.#state) this.#askToStop(this.#state);
  }

  head(status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status !== 200) this.#refusal = { status, retryAfter: headers['retry-after'], bytes: [], size: 0 };
    else if (!String(headers['content-type']).startsWith('text/event-stream')) {
      this.#refuse(new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox answered with something that is no event stream'));
    }
  }

  chunk(bytes: Buffer): void {
    if (this.#refusal) {
      this.#refusal.size += bytes.length;
      if (this.#refusal.size < MAX_REFUSAL_BYTES) this.#refusal.bytes.push(bytes);
      return;
    }
    try {
      this.#events.push(bytes);
      this.#flush();
    } catch (error) {
      // What came before the error in the same bytes is part of the answer.
      this.#flush();
      this.#refuse(badAnswer(error));
    }
  }

  end(): void {
    if (this.#refusal) {
      const { status, retryAfter, bytes } = this.#refusal;
      return this.fail(refused(status, parse(Buffer.concat(bytes).toString('utf8')), retryAfter));
    }
    this.fail(
      new GatewayError(
        this.#state ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_BAD_ANSWER',
        'the sandbox ended the stream before the answer was complete',
      ),
    );
  }

  fail(error: GatewayError): void {
    if (!this.#close()) return;
    this.#sink.failed(error, this.#serialised());
  }

  #read({ event, data }: EventSourceMessage): void {
    if (this.#over) return;
    switch (event) {
      case 'accepted': {
        const { conversation_id, message_id } = events.accepted.parse(JSON.parse(data));
        this.#state = { conversation: conversation_id, message: message_id };
        this.#call.accept();
        if (this.#stopTimer) this.#askToStop(this.#state);
        else this.#sink.accepted();
        return;
      }
      case 'delta': {
        if (!this.#state) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox answered a turn that it had not accepted');
        const { text } = events.delta.parse(JSON.parse(data));
        if (text !== '') this.#texts.push(text);
        return;
      }
      case 'done': {
        const { message_id, finish_reason, usage } = events.done.parse(JSON.parse(data));
        if (!this.#state) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox ended a turn that it had not accepted');
        this.#state.message = message_id;
        this.#flush();
        this.#finish(
          finish_reason === 'length' ? 'length' : 'stop',
          usage && { tokensIn: usage.input_tokens, tokensOut: usage.output_tokens },
        );
        return;
      }
      case 'error': {
        const { code } = events.error.parse(JSON.parse(data));
        throw failureOf(code) ?? new GatewayError('PROVIDER_UNAVAILABLE', 'the sandbox failed while answering');
      }
      default:
    }
  }

  #flush(): void {
    if (this.#texts.length === 0 || this.#over) return;
    this.#sink.deltas(this.#texts.splice(0));
  }

  #askToStop({ conversation, message }: UpstreamState): void {
    const { account } = this.#turn;
    const path = `/api/conversations/${encodeURIComponent(conversation)}/stop`;
    // A refused stop is no matter: the timer closes the connection, and the next turn finds where the conversation stands.
    this.#pools
      .json(account.baseUrl, path, { method: 'POST', headers: bearer(account), body: { message_id: message } }, refused)
      .catch(() => undefined);
  }

  #finish(finishReason: string, usage?: { tokensIn: number; tokensOut: number }): void {
    if (!this.#close()) return;
    this.#call.abort();
    this.#sink.finished({ finishReason, upstreamState: this.#serialised(), usage });
  }

  #refuse(error: GatewayError): void {
    this.#call.abort();
    this.fail(error);
  }

  #serialised(): string {
    return this.#state ? JSON.stringify(this.#state) : this.#turn.upstreamState;
  }

  #close(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#stopTimer);
    return true;
  }
}

/** Where the conversation stood last. Throws CONVERSATION_CONTINUITY_LOST for what no sandbox ever told. */
function readState(text: string): UpstreamState | undefined {
  if (text === '') return undefined;
  try {
    return upstreamState.parse(JSON.parse(text));
  } catch (cause) {
    throw new GatewayError('CONVERSATION_CONTINUITY_LOST', 'nobody knows where the conversation stands upstream', { cause });
  }
}

function imagesOf(parts: UpstreamTurn['messages'][number]['parts']): string[] {
  return parts.flatMap(({ content }) => (content?.$case === 'imageUrl' ? [content.value] : []));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
