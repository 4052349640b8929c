import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { toBodyError } from '../body-error.ts';
import { type ErrorResponse } from '../error-response.ts';
import { toBadAnswerError, EventStreamParser, MAX_EVENT_BYTES } from '../event-stream-parser.ts';
import { type HttpPools } from '../http-pools.ts';
import { type JsonBody, sendJson } from '../send-json.ts';
import { toStatusError } from '../status-error.ts';
import { traceHeaders } from '../trace-headers.ts';
import { type ResponseHandler, UpstreamCall } from '../upstream-call.ts';
import { type TurnSink, type TurnHandle, type UpstreamTurn } from '../upstream-turn.ts';
import { DeltaReader } from './delta-reader.ts';
import { type MessageContent, parseMessageContent, type AnswerMessage } from './message-content.ts';
import { toAuthorizationHeader } from './models.ts';
import { type PreambleBounds, projectPreamble } from './project-preamble.ts';
import { type FileParts, hasTurnFiles, type ReplayBounds, replayFiles } from './replay-files.ts';
import {
  type ChatCompletionChunk,
  isErrorObject,
  parseChatCompletion,
  countRequestCharacters,
  toChatCompletionRequest,
  toUsage,
} from './wire.ts';

/** Limits of what is sent in addition to the messages. */
export interface ChatBounds {
  project: PreambleBounds;
  files: ReplayBounds;
}

/** Sends a turn to `/chat/completions`. The upstream keeps no state, so `stop` just closes the connection. */
export function chat(pools: HttpPools, bounds: ChatBounds, turn: UpstreamTurn, sink: TurnSink): TurnHandle {
  const call = new CompletionCall(pools, bounds, turn, sink);
  call.start();
  return call;
}

class CompletionCall implements TurnHandle, ResponseHandler {
  readonly #pools: HttpPools;
  readonly #bounds: ChatBounds;
  readonly #turn: UpstreamTurn;
  readonly #sink: TurnSink;
  #call: UpstreamCall | undefined;
  #over = false;
  #events: EventStreamParser | undefined;
  readonly #deltas = new DeltaReader();
  #body: Buffer[] = [];
  #bodyBytes = 0;
  #accepted = false;
  #texts: string[] = [];
  #thoughts: string[] = [];
  #isRefusal = false;
  #finishReason = '';
  #usage: { tokensIn: number; tokensOut: number } | undefined;
  #model: string | undefined;

  constructor(pools: HttpPools, bounds: ChatBounds, turn: UpstreamTurn, sink: TurnSink) {
    this.#pools = pools;
    this.#bounds = bounds;
    this.#turn = turn;
    this.#sink = sink;
  }

  start(): void {
    const { project } = this.#turn;
    const history = this.#turn.history();
    const preamble = project ? projectPreamble(project, this.#bounds.project) : '';
    if (history instanceof Promise || preamble instanceof Promise || this.#turn.files.length > 0)
      Promise.all([history, preamble])
        .then(([messages, opening]) =>
          hasTurnFiles(this.#turn, messages) ? this.#replay(messages, opening) : this.#send(messages, opening),
        )
        .catch((error: unknown) => this.onError(toGatewayError(error)));
    else this.#send(history, preamble);
  }

  pause(): void {
    this.#call?.pause();
  }

  resume(): void {
    this.#call?.resume();
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#call?.abort();
    this.#sink.finished({ finishReason: 'stop', upstreamState: '', usage: this.#usage, model: this.#model });
  }

  onHead(headers: Record<string, string | string[] | undefined>): void {
    const type = String(headers['content-type'] ?? (this.#turn.stream ? 'text/event-stream' : 'application/json')).toLowerCase();
    if (type.startsWith('text/event-stream')) this.#events = new EventStreamParser(({ data }) => this.#read(data));
    else if (!type.startsWith('application/json'))
      this.#refuse(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with neither JSON nor an event stream'));
  }

  onChunk(bytes: Buffer): void {
    try {
      if (this.#events) this.#stream(bytes);
      else this.#collect(bytes);
    } catch (error) {
      // Events before the error in the same chunk are part of the answer.
      this.#flush();
      this.#refuse(toBadAnswerError(error));
    }
  }

  onEnd(): void {
    if (this.#over) return;
    if (this.#events) {
      if (this.#finishReason) this.#finish();
      else
        this.onError(
          new GatewayError(
            this.#accepted ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_BAD_ANSWER',
            'the provider ended the stream before the answer was complete',
          ),
        );
      return;
    }
    try {
      this.#whole();
    } catch (error) {
      this.onError(toBadAnswerError(error));
    }
  }

  onErrorResponse(refusal: ErrorResponse): void {
    this.onError(toStatusError(refusal.status, refusal.read(), refusal.retryAfter, this.#turn.connection.secret));
  }

  onError(error: GatewayError): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.failed(error);
  }

  async #replay(history: readonly HistoryMessage[], preamble: string): Promise<void> {
    this.#send(history, preamble, await replayFiles(this.#turn, history, this.#bounds.files));
  }

  #send(history: readonly HistoryMessage[], preamble: string, files?: FileParts): void {
    if (this.#over) return;
    const request = toChatCompletionRequest(this.#turn, history, preamble, files);
    sendJson(
      request,
      countRequestCharacters(request),
      (json) => this.#post(json),
      (error) => this.onError(error),
    );
  }

  #post({ body, headers: about }: JsonBody): void {
    if (this.#over) return;
    const { connection, stream, deadlines } = this.#turn;
    // Without streaming, the first response is the complete answer, so it gets the longer deadline.
    const { acceptanceMs, answerMs = acceptanceMs, silenceMs } = deadlines;
    const patience = { acceptanceMs: stream ? acceptanceMs : answerMs, silenceMs };
    const headers = Object.assign(
      { accept: stream ? 'text/event-stream' : 'application/json' },
      about,
      toAuthorizationHeader(connection),
      traceHeaders(this.#turn),
    );
    const { pool, path } = this.#pools.getEndpoint(connection.baseUrl);
    this.#call = new UpstreamCall(pool, { path: `${path}/chat/completions`, headers, body }, patience, this);
  }

  /** Parses a chunk and sends the texts of all its events together. */
  #stream(bytes: Buffer): void {
    this.#events?.push(bytes);
    this.#flush();
  }

  #flush(): void {
    if (this.#over) return;
    const [thoughts, texts] = [this.#thoughts, this.#texts];
    if (thoughts.length > 0) {
      this.#thoughts = [];
      this.#sink.reasoning(thoughts);
    }
    if (texts.length > 0) {
      this.#texts = [];
      this.#sink.deltas(texts);
    }
  }

  #read(data: string): void {
    if (this.#over) return;
    if (data === '[DONE]') {
      if (!this.#accepted) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider ended the stream before it began');
      this.#flush();
      return this.#finish();
    }
    const text = this.#deltas.findText(data);
    if (text !== undefined) {
      if (text !== '') this.#texts.push(text);
      return;
    }
    const chunk = parseChunk(data);
    if (isErrorObject(chunk)) throw toBodyError(chunk, this.#turn.connection.secret);
    // Other JSON events, such as pings, are ignored.
    if (!Array.isArray(chunk.choices)) return;
    this.#accept(chunk.model);
    const [choice] = chunk.choices;
    if (choice?.delta) {
      const said = this.#receive(choice.delta);
      // Only a chunk that contains nothing but text sets the pattern: later chunks that match it are read for their text alone.
      const isPlain = said.reasoning === '' && typeof choice.delta.content === 'string' && said.text === choice.delta.content;
      if (isPlain && said.text !== '' && !choice.finish_reason && !chunk.usage) this.#deltas.setPattern(data, said.text);
    }
    if (typeof choice?.finish_reason === 'string') this.#finishReason = choice.finish_reason;
    if (chunk.usage) this.#usage = toUsage(chunk.usage) ?? this.#usage;
  }

  /** Collects text and reasoning of a message or delta, and returns them. */
  #receive(message: AnswerMessage): MessageContent {
    const said = parseMessageContent(message);
    if (said.isRefusal) this.#isRefusal = true;
    if (said.reasoning !== '') {
      if (this.#texts.length > 0) this.#flush();
      this.#thoughts.push(said.reasoning);
    }
    if (said.text !== '') this.#texts.push(said.text);
    return said;
  }

  #collect(bytes: Buffer): void {
    this.#bodyBytes += bytes.length;
    if (this.#bodyBytes > MAX_EVENT_BYTES) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an answer beyond 8 MB');
    this.#body.push(bytes);
  }

  #whole(): void {
    if (this.#bodyBytes === 0) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with nothing');
    const answer: unknown = JSON.parse(UTF8.decode(this.#body.length === 1 ? this.#body[0] : Buffer.concat(this.#body)));
    if (isErrorObject(answer)) throw toBodyError(answer, this.#turn.connection.secret);
    const { message, finishReason, usage, model } = parseChatCompletion(answer);
    this.#accept(model);
    this.#receive(message);
    this.#flush();
    this.#finishReason = finishReason;
    this.#usage = toUsage(usage);
    this.#finish();
  }

  #accept(model: unknown): void {
    if (this.#accepted) return;
    this.#accepted = true;
    if (typeof model === 'string') this.#model = model;
    this.#call?.markAccepted();
    this.#sink.accepted();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#call?.finish();
    const finishReason = this.#isRefusal ? 'content_filter' : this.#finishReason || 'stop';
    this.#sink.finished({ finishReason, upstreamState: '', usage: this.#usage, model: this.#model });
  }

  #refuse(error: GatewayError): void {
    this.#call?.abort();
    this.onError(error);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseChunk(data: string): ChatCompletionChunk {
  try {
    const chunk: unknown = JSON.parse(data);
    if (typeof chunk === 'object' && chunk !== null) return chunk;
  } catch {
    // Falls through: invalid JSON and JSON that is not an object are the same bad answer.
  }
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an event that is no JSON');
}
