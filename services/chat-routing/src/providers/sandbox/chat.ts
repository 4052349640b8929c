import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type EventSourceMessage } from 'eventsource-parser';
import { getMessagesLength } from '../../domain/message-size.ts';
import { type ErrorResponse } from '../error-response.ts';
import { toBadAnswerError, EventStreamParser } from '../event-stream-parser.ts';
import { type HttpPools } from '../http-pools.ts';
import { sendJson } from '../send-json.ts';
import { traceHeaders } from '../trace-headers.ts';
import { type ResponseHandler, UpstreamCall } from '../upstream-call.ts';
import { type TurnSink, type TurnHandle, type UpstreamTurn } from '../upstream-turn.ts';
import { toBearerHeader } from './session.ts';
import { listEarlierRefs, toSandboxRequest } from './turn-request.ts';
import { eventSchemas, findErrorByCode, parseState, toResponseError, type UpstreamState } from './wire.ts';

/** How long the sandbox may take to confirm a stop before the connection is closed. */
const STOP_MS = 5_000;

/**
 * Sends a turn to the sandbox, which stores a conversation as a tree: the new messages are appended to the last known one. When the sandbox
 * does not have the conversation yet, it is created there with its whole history, which an imported conversation has.
 */
export function chat(pools: HttpPools, turn: UpstreamTurn, sink: TurnSink): TurnHandle {
  const call = new SandboxCall(pools, turn, sink);
  call.start();
  return call;
}

class SandboxCall implements TurnHandle, ResponseHandler {
  readonly #pools: HttpPools;
  readonly #turn: UpstreamTurn;
  readonly #sink: TurnSink;
  readonly #known: UpstreamState | undefined;
  #call: UpstreamCall | undefined;
  readonly #events = new EventStreamParser((event) => this.#read(event));
  #state: UpstreamState | undefined;
  #texts: string[] = [];
  #over = false;
  #stopTimer: NodeJS.Timeout | undefined;

  constructor(pools: HttpPools, turn: UpstreamTurn, sink: TurnSink) {
    this.#pools = pools;
    this.#turn = turn;
    this.#sink = sink;
    this.#known = parseState(turn.upstreamState);
  }

  start(): void {
    const history = this.#known ? [] : this.#turn.history();
    if (history instanceof Promise)
      history
        .then(async (messages) => this.#send(messages, await listEarlierRefs(this.#turn, messages)))
        .catch((error: unknown) => this.onError(toGatewayError(error)));
    else this.#send(history);
  }

  pause(): void {
    this.#call?.pause();
  }

  resume(): void {
    this.#call?.resume();
  }

  /** Asks the sandbox to stop; its `done` event then contains the state of the conversation. Before acceptance there is nothing to stop. */
  stop(): void {
    if (this.#over || this.#stopTimer) return;
    if (!this.#call) return this.#finish('stop');
    this.#call.resume();
    this.#stopTimer = setTimeout(() => this.#finish('stop'), STOP_MS);
    if (this.#state) this.#askToStop(this.#state);
  }

  onHead(headers: Record<string, string | string[] | undefined>): void {
    if (!String(headers['content-type']).startsWith('text/event-stream'))
      this.#refuse(new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox answered with something that is no event stream'));
  }

  onErrorResponse(refusal: ErrorResponse): void {
    this.onError(toResponseError(refusal.status, refusal.read(), refusal.retryAfter, this.#turn.connection.secret));
  }

  onChunk(bytes: Buffer): void {
    try {
      this.#events.push(bytes);
      this.#flush();
    } catch (error) {
      // Events before the error in the same chunk are part of the answer.
      this.#flush();
      this.#refuse(toBadAnswerError(error));
    }
  }

  onEnd(): void {
    this.onError(
      new GatewayError(
        this.#state ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_BAD_ANSWER',
        'the sandbox ended the stream before the answer was complete',
      ),
    );
  }

  onError(error: GatewayError): void {
    if (!this.#close()) return;
    this.#sink.failed(error, this.#serialised());
  }

  #send(history: readonly HistoryMessage[], refs?: ReadonlyMap<string, string>): void {
    if (this.#over) return;
    const { connection, deadlines } = this.#turn;
    const { pool, path: base } = this.#pools.getEndpoint(connection.baseUrl);
    const path = `${base}/api/conversations/${encodeURIComponent(this.#known?.conversation ?? 'new')}/messages`;
    sendJson(
      toSandboxRequest(this.#turn, this.#known, history, refs),
      getMessagesLength(this.#turn.messages) + getMessagesLength(history),
      ({ body, headers: about }) => {
        if (this.#over) return;
        const headers = { ...about, accept: 'text/event-stream', ...toBearerHeader(connection), ...traceHeaders(this.#turn) };
        this.#call = new UpstreamCall(pool, { path, headers, body }, deadlines, this);
      },
      (error) => this.onError(error),
    );
  }

  #read({ event, data }: EventSourceMessage): void {
    if (this.#over) return;
    switch (event) {
      case 'accepted': {
        const { conversation_id, message_id } = eventSchemas.accepted.parse(JSON.parse(data));
        this.#state = { conversation: conversation_id, message: message_id };
        this.#call?.markAccepted();
        if (this.#stopTimer) this.#askToStop(this.#state);
        else this.#sink.accepted();
        return;
      }
      case 'delta': {
        if (!this.#state) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox answered a turn that it had not accepted');
        const { text } = eventSchemas.delta.parse(JSON.parse(data));
        if (text !== '') this.#texts.push(text);
        return;
      }
      case 'artifact': {
        if (!this.#state) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox made something in a turn that it had not accepted');
        const { id, kind, name, mime_type } = eventSchemas.artifact.parse(JSON.parse(data));
        this.#flush();
        this.#sink.artifact({ kind, name, mimeType: mime_type, reference: id });
        return;
      }
      case 'done': {
        const { message_id, finish_reason, usage } = eventSchemas.done.parse(JSON.parse(data));
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
        const { code } = eventSchemas.error.parse(JSON.parse(data));
        throw findErrorByCode(code) ?? new GatewayError('PROVIDER_UNAVAILABLE', 'the sandbox failed while answering');
      }
      default:
    }
  }

  #flush(): void {
    if (this.#texts.length === 0 || this.#over) return;
    this.#sink.deltas(this.#texts.splice(0));
  }

  #askToStop({ conversation, message }: UpstreamState): void {
    const { connection } = this.#turn;
    const path = `/api/conversations/${encodeURIComponent(conversation)}/stop`;
    // A failed stop does no harm: the timer closes the connection, and the next turn continues from the recorded state.
    this.#pools
      .requestJson(
        connection.baseUrl,
        path,
        { method: 'POST', headers: toBearerHeader(connection), body: { message_id: message } },
        toResponseError,
      )
      .catch(() => undefined);
  }

  #finish(finishReason: string, usage?: { tokensIn: number; tokensOut: number }): void {
    if (!this.#close()) return;
    this.#call?.abort();
    this.#sink.finished({ finishReason, upstreamState: this.#serialised(), usage });
  }

  #refuse(error: GatewayError): void {
    this.#call?.abort();
    this.onError(error);
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
