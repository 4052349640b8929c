import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { badAnswer, EventStream, MAX_EVENT_BYTES } from '../event-stream.ts';
import { type Pools } from '../pools.ts';
import { type TurnSink, type UpstreamHold, type UpstreamTurn } from '../upstream-turn.ts';
import { type ResponseReader, UpstreamCall } from '../upstream-call.ts';
import { refusalOf } from '../upstream-status.ts';
import { DeltaReader } from './delta-reader.ts';
import { authorization } from './models.ts';
import { type PreambleBounds, projectPreamble } from './project-preamble.ts';
import { type FileParts, hasFiles, type ReplayBounds, replayFiles } from './replay-files.ts';
import { bodyOf, type Chunk, completion } from './wire.ts';

/** Bounds of what is told besides the messages. */
export interface ChatBounds {
  project: PreambleBounds;
  files: ReplayBounds;
}

/** Puts a turn to `/chat/completions`. The upstream keeps nothing, so a client that leaves closes the connection. */
export function chat(pools: Pools, bounds: ChatBounds, turn: UpstreamTurn, sink: TurnSink): UpstreamHold {
  const call = new CompletionCall(pools, bounds, turn, sink);
  call.start();
  return call;
}

class CompletionCall implements UpstreamHold, ResponseReader {
  readonly #pools: Pools;
  readonly #bounds: ChatBounds;
  readonly #turn: UpstreamTurn;
  readonly #sink: TurnSink;
  #call: UpstreamCall | undefined;
  #over = false;
  #events: EventStream | undefined;
  readonly #deltas = new DeltaReader();
  #body: Buffer[] = [];
  #bodyBytes = 0;
  #accepted = false;
  #texts: string[] = [];
  #finishReason = '';
  #usage: { tokensIn: number; tokensOut: number } | undefined;

  constructor(pools: Pools, bounds: ChatBounds, turn: UpstreamTurn, sink: TurnSink) {
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
        .then(([messages, told]) => (hasFiles(this.#turn, messages) ? this.#replay(messages, told) : this.#send(messages, told)))
        .catch((error: unknown) => this.fail(toGatewayError(error)));
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
    this.#sink.finished({ finishReason: 'stop', upstreamState: '', usage: this.#usage });
  }

  head(status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status !== 200) return this.#refuse(refusalOf(status, headers['retry-after']));
    const type = String(headers['content-type'] ?? (this.#turn.stream ? 'text/event-stream' : 'application/json')).toLowerCase();
    if (type.startsWith('text/event-stream')) this.#events = new EventStream(({ data }) => this.#read(data));
    else if (!type.startsWith('application/json'))
      this.#refuse(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with neither JSON nor an event stream'));
  }

  chunk(bytes: Buffer): void {
    try {
      if (this.#events) this.#stream(bytes);
      else this.#collect(bytes);
    } catch (error) {
      // What came before the error in the same bytes is part of the answer.
      this.#flush();
      this.#refuse(badAnswer(error));
    }
  }

  end(): void {
    if (this.#over) return;
    if (this.#events) {
      if (this.#finishReason) this.#finish();
      else
        this.fail(
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
      this.fail(badAnswer(error));
    }
  }

  fail(error: GatewayError): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.failed(error);
  }

  async #replay(history: readonly HistoryMessage[], preamble: string): Promise<void> {
    this.#send(history, preamble, await replayFiles(this.#turn, history, this.#bounds.files));
  }

  #send(history: readonly HistoryMessage[], preamble: string, files?: FileParts): void {
    if (this.#over) return;
    const { account, stream, deadlines } = this.#turn;
    // A whole answer is the first thing such an upstream says, so it may take as long as acceptance and silence together.
    const patience = stream ? deadlines : { ...deadlines, acceptanceMs: deadlines.acceptanceMs + deadlines.silenceMs };
    const headers = {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      ...authorization(account),
    };
    const { pool, path } = this.#pools.of(account.baseUrl);
    const request = { path: `${path}/chat/completions`, headers, body: bodyOf(this.#turn, history, preamble, files) };
    this.#call = new UpstreamCall(pool, request, patience, this);
  }

  /** What is ready together is told together. */
  #stream(bytes: Buffer): void {
    this.#events?.push(bytes);
    this.#flush();
  }

  #flush(): void {
    if (this.#texts.length === 0 || this.#over) return;
    this.#sink.deltas(this.#texts.splice(0));
  }

  #read(data: string): void {
    if (this.#over) return;
    if (data === '[DONE]') {
      if (!this.#accepted) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider ended the stream before it began');
      this.#flush();
      return this.#finish();
    }
    const text = this.#deltas.textOf(data);
    if (text !== undefined) {
      if (text !== '') this.#texts.push(text);
      return;
    }
    const chunk = parseChunk(data);
    if (chunk.error) throw new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering');
    this.#accept();
    const choice = chunk.choices?.[0];
    const content = choice?.delta?.content;
    if (typeof content === 'string' && content !== '') {
      this.#texts.push(content);
      if (!choice?.finish_reason && !chunk.usage) this.#deltas.learn(data, content);
    }
    if (typeof choice?.finish_reason === 'string') this.#finishReason = choice.finish_reason;
    if (chunk.usage) this.#usage = { tokensIn: chunk.usage.prompt_tokens ?? 0, tokensOut: chunk.usage.completion_tokens ?? 0 };
  }

  #collect(bytes: Buffer): void {
    this.#bodyBytes += bytes.length;
    if (this.#bodyBytes > MAX_EVENT_BYTES) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an answer beyond 8 MB');
    this.#body.push(bytes);
  }

  #whole(): void {
    const { choices, usage } = completion.parse(JSON.parse(UTF8.decode(Buffer.concat(this.#body))));
    this.#accept();
    const content = choices[0]?.message.content;
    if (content) this.#sink.deltas([content]);
    this.#finishReason = choices[0]?.finish_reason ?? 'stop';
    if (usage) this.#usage = { tokensIn: usage.prompt_tokens, tokensOut: usage.completion_tokens };
    this.#finish();
  }

  #accept(): void {
    if (this.#accepted) return;
    this.#accepted = true;
    this.#call?.accept();
    this.#sink.accepted();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#call?.finish();
    this.#sink.finished({ finishReason: this.#finishReason || 'stop', upstreamState: '', usage: this.#usage });
  }

  #refuse(error: GatewayError): void {
    this.#call?.abort();
    this.fail(error);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseChunk(data: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data);
    if (typeof chunk === 'object' && chunk !== null) return chunk;
  } catch {
    // told below: no JSON and JSON that is no object are the same bad answer
  }
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an event that is no JSON');
}
