import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { getMessagesLength } from '../../domain/message-size.ts';
import { parseErrorBody } from '../error-body.ts';
import { type ErrorResponse } from '../error-response.ts';
import { type HttpPools } from '../http-pools.ts';
import { toAuthorizationHeader } from '../openai-compatible/models.ts';
import { sendJson } from '../send-json.ts';
import { traceHeaders } from '../trace-headers.ts';
import { type ResponseHandler, UpstreamCall } from '../upstream-call.ts';
import { type TurnSink, type UpstreamArtifact, type TurnHandle, type UpstreamTurn } from '../upstream-turn.ts';
import { type AnswerEnd, type AnswerListener, AnswerReader } from './answer-reader.ts';
import { createOpenAiClient } from './client.ts';
import { toTurnResponseError } from './failures.ts';
import { resolveNotFoundError } from './resolve-not-found-error.ts';
import { type UpstreamState } from './state.ts';
import { TurnConversation } from './turn-conversation.ts';
import { NO_HISTORY, toResponsesRequest, type ToolSelection, readUnsentHistory } from './turn-request.ts';

/** How long the upstream may take to confirm a stop before the connection is closed. */
const STOP_MS = 5_000;

/** Factor for the silence deadline: generating an image takes longer than any pause in a text. */
const PATIENCE = 3;

/** Dependencies of `chat`. */
export interface ChatDeps {
  pools: HttpPools;
  /** Models, per connection, that rejected the image and code tools; they are called without them. */
  modelsWithoutTools: { has(key: string): boolean; set(key: string, value: true): unknown };
}

/**
 * Sends a turn to `/responses`, in a conversation that the upstream keeps. When there is none yet, or its last turn did not complete, a new
 * upstream conversation is created with the recorded history: the upstream adds only completed answers to a conversation.
 */
export function chat(deps: ChatDeps, turn: UpstreamTurn, sink: TurnSink): TurnHandle {
  const call = new ResponseCall(deps, turn, sink);
  call.start();
  return call;
}

class ResponseCall implements TurnHandle, ResponseHandler, AnswerListener {
  readonly #deps: ChatDeps;
  readonly #turn: UpstreamTurn;
  readonly #sink: TurnSink;
  readonly #place: TurnConversation;
  #unsent = NO_HISTORY;
  #toolbox: ToolSelection;
  #call: UpstreamCall | undefined;
  readonly #answer = new AnswerReader(this);
  /** Response id, once the upstream has begun the answer; empty before. */
  #response = '';
  #over = false;
  #stopTimer: NodeJS.Timeout | undefined;

  constructor(deps: ChatDeps, turn: UpstreamTurn, sink: TurnSink) {
    this.#deps = deps;
    this.#turn = turn;
    this.#sink = sink;
    this.#place = new TurnConversation(deps.pools, turn.connection, turn.upstreamState);
    this.#toolbox = deps.modelsWithoutTools.has(this.#model) ? 'search' : 'all';
  }

  start(): void {
    if (this.#place.knownState?.last !== undefined && !this.#turn.repeats) this.#send();
    else this.#begin().catch((error: unknown) => this.onError(toGatewayError(error)));
  }

  pause(): void {
    this.#call?.pause();
  }

  resume(): void {
    this.#call?.resume();
  }

  /** Cancels the response at the upstream, as closing the stream would not stop it. Before it has begun there is nothing to cancel yet. */
  stop(): void {
    if (this.#over || this.#stopTimer) return;
    if (!this.#call) return this.#finish('stop', this.#unsettled());
    this.#call.resume();
    this.#stopTimer = setTimeout(() => this.#finish('stop', this.#unsettled()), STOP_MS);
    if (this.#response) this.#cancel();
  }

  onHead(headers: Record<string, string | string[] | undefined>): void {
    if (!String(headers['content-type']).startsWith('text/event-stream'))
      this.#refuse(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no event stream'));
  }

  onChunk(bytes: Buffer): void {
    try {
      this.#answer.push(bytes);
    } catch (error) {
      this.#refuse(toGatewayError(error));
    }
  }

  onEnd(): void {
    this.onError(
      new GatewayError(
        this.#response ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_BAD_ANSWER',
        'the provider ended the stream before the answer was complete',
      ),
    );
  }

  onError(error: GatewayError): void {
    // The stream of a cancelled answer ends without a final event.
    if (this.#stopTimer && this.#response) this.#finish('stop', this.#unsettled());
    else this.#fail(error, this.#unsettled());
  }

  /** Sends the turn in the known conversation if its content is as expected, else in a new one with the recorded history. */
  async #begin(): Promise<void> {
    // An earlier process may have crashed after the upstream accepted the turn.
    const isAsKnown = await this.#place.isUnchanged();
    if (this.#over) return;
    if (isAsKnown) return this.#send();
    this.#unsent = await readUnsentHistory(this.#turn);
    if (this.#over) return;
    await this.#place.create();
    if (this.#over) return this.#place.deleteUnused();
    this.#send();
  }

  #send(): void {
    const { connection, deadlines } = this.#turn;
    const { pool, path } = this.#deps.pools.getEndpoint(connection.baseUrl);
    const request = toResponsesRequest(this.#turn, this.#place.conversation, this.#unsent, this.#toolbox);
    const patience = { ...deadlines, silenceMs: deadlines.silenceMs * PATIENCE };
    sendJson(
      request,
      getMessagesLength(this.#turn.messages) + getMessagesLength(this.#unsent.messages),
      ({ body, headers: about }) => {
        if (this.#over) return;
        const headers = { ...about, accept: 'text/event-stream', ...toAuthorizationHeader(connection), ...traceHeaders(this.#turn) };
        this.#call = new UpstreamCall(pool, { path: `${path}/responses`, headers, body }, patience, this);
      },
      (error) => this.onError(error),
    );
  }

  /** Handles the begin of the answer: the turn is accepted. */
  begun(response: string): void {
    if (this.#over) return;
    this.#response = response;
    this.#call?.markAccepted();
    this.#place.deleteReplaced();
    if (this.#stopTimer) this.#cancel();
    else this.#sink.accepted();
  }

  deltas(texts: string[]): void {
    if (!this.#over) this.#sink.deltas(texts);
  }

  reasoning(texts: string[]): void {
    if (!this.#over) this.#sink.reasoning(texts);
  }

  artifact(artifact: UpstreamArtifact): void {
    if (!this.#over) this.#sink.artifact(artifact);
  }

  ended({ finishReason, lastItemId, usage, model }: AnswerEnd): void {
    this.#finish(finishReason, lastItemId === undefined ? this.#unsettled() : { ...this.#place.getIncompleteState(), last: lastItemId }, {
      usage,
      model,
    });
  }

  onErrorResponse(refusal: ErrorResponse): void {
    if (this.#over) return;
    const { status, retryAfter } = refusal;
    const body = refusal.read();
    if (status === 400 && this.#toolbox === 'all' && parseErrorBody(body).param.startsWith('tools')) return this.#sendPlain();
    const error = toTurnResponseError(status, body, retryAfter, this.#turn.connection.secret);
    // A 4xx leaves the conversation unchanged; on other errors the upstream may have begun to answer.
    const state = status < 500 ? this.#place.knownState : this.#unsettled();
    if (status !== 404 || error.condition === 'PROVIDER_MODEL_NOT_FOUND') return this.#fail(error, state);
    void resolveNotFoundError(this.#deps.pools, this.#turn, this.#place.conversation, error).then((gone) => this.#fail(gone, state));
  }

  /** Repeats the request without the image and code tools, and remembers that the model does not support them. */
  #sendPlain(): void {
    this.#deps.modelsWithoutTools.set(this.#model, true);
    this.#toolbox = 'search';
    this.#send();
  }

  #cancel(): void {
    const { pools } = this.#deps;
    const done = () => this.#finish('stop', this.#unsettled());
    // A failed cancel does not matter: the next turn uses a new conversation.
    createOpenAiClient(pools, this.#turn.connection).responses.cancel(this.#response).then(done, done);
  }

  #finish(finishReason: string, state: UpstreamState | undefined, facts?: Pick<AnswerEnd, 'usage' | 'model'>): void {
    if (!this.#close()) return;
    this.#call?.abort();
    if (!this.#response) this.#place.deleteUnused();
    this.#sink.finished({ finishReason, upstreamState: serialised(state), ...facts });
  }

  #refuse(error: GatewayError): void {
    this.#call?.abort();
    this.onError(error);
  }

  #fail(error: GatewayError, state: UpstreamState | undefined): void {
    if (!this.#close()) return;
    // The upstream would continue a response that is no longer read.
    if (this.#response)
      createOpenAiClient(this.#deps.pools, this.#turn.connection)
        .responses.cancel(this.#response)
        .catch(() => undefined);
    else this.#place.deleteUnused();
    this.#sink.failed(error, serialised(state));
  }

  /** The conversation state to record when this turn does not complete. */
  #unsettled(): UpstreamState | undefined {
    return this.#response ? this.#place.getIncompleteState() : this.#place.getUnansweredState(this.#call !== undefined);
  }

  get #model(): string {
    return `${this.#turn.connection.id} ${this.#turn.model}`;
  }

  #close(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#stopTimer);
    return true;
  }
}

function serialised(state: UpstreamState | undefined): string {
  return state ? JSON.stringify(state) : '';
}
