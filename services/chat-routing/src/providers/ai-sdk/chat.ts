import { type LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { GatewayError } from '@parley/protos/errors';
import { type HttpPools } from '../http-pools.ts';
import { type PreambleBounds, projectPreamble } from '../openai-compatible/project-preamble.ts';
import { hasTurnFiles, type ReplayBounds, replayFiles } from '../openai-compatible/replay-files.ts';
import { traceHeaders } from '../trace-headers.ts';
import { type TurnSink, type TurnHandle, type UpstreamOutcome, type UpstreamTurn } from '../upstream-turn.ts';
import { isErrorEvent, toStreamError, toSdkError } from './failures.ts';
import { toFinishReason, isTruncatedStream, toUsage } from './finish-reason.ts';
import { ModelCall } from './model-call.ts';
import { toPrompt } from './prompt.ts';
import { isNativeMimeType, type SdkProvider } from './sdk-provider.ts';
import { toSettings } from './settings.ts';

/** Dependencies of `chat`. */
export interface ChatDeps {
  pools: HttpPools;
  kind: SdkProvider;
  /** Limits of what is sent in addition to the messages. */
  project: PreambleBounds;
  files: ReplayBounds;
}

/** Sends a turn to a model through the AI SDK, always streamed. The upstream keeps no state, so `stop` just closes the connection. */
export function chat(deps: ChatDeps, turn: UpstreamTurn, sink: TurnSink): TurnHandle {
  const call = new ModelTurn(deps, turn, sink);
  call.start();
  return call;
}

class ModelTurn implements TurnHandle {
  readonly #deps: ChatDeps;
  readonly #turn: UpstreamTurn;
  readonly #sink: TurnSink;
  readonly #call: ModelCall;
  /** The last raw event of the upstream. */
  #event: unknown;
  /** The model that answers, as the upstream names it. */
  #model: string | undefined;
  #accepted = false;
  #over = false;
  #texts: string[] = [];
  #thoughts: string[] = [];
  #flush: NodeJS.Immediate | undefined;

  constructor(deps: ChatDeps, turn: UpstreamTurn, sink: TurnSink) {
    this.#deps = deps;
    this.#turn = turn;
    this.#sink = sink;
    this.#call = new ModelCall(deps.pools, turn.connection, turn.deadlines, traceHeaders(turn));
  }

  start(): void {
    this.#run().catch((thrown: unknown) => this.#fail(toSdkError(thrown, this.#turn.connection.secret)));
  }

  pause(): void {
    this.#call.pause();
  }

  resume(): void {
    this.#call.resume();
  }

  stop(): void {
    if (this.#over) return;
    this.#flushTexts();
    this.#over = true;
    this.#call.abort();
    this.#sink.finished({ finishReason: 'stop', upstreamState: '' });
  }

  async #run(): Promise<void> {
    const { project, connection } = this.#turn;
    const { kind, project: preambleBounds, files: bounds } = this.#deps;
    const [history, preamble] = await Promise.all([this.#turn.history(), project ? projectPreamble(project, preambleBounds) : '']);
    const replay = { ...bounds, maxBytes: kind.maxFileBytes, reads: (mimeType: string) => isNativeMimeType(kind, mimeType) };
    const files = hasTurnFiles(this.#turn, history) ? await replayFiles(this.#turn, history, replay) : undefined;
    const prompt = toPrompt(kind, { messages: [...history, ...this.#turn.messages], preamble, files });
    if (this.#over) return;
    const model = await kind.loadModel(connection, this.#turn.model, this.#call.fetch);
    if (this.#over) return;
    const { stream } = await model.doStream({ ...toSettings(this.#turn.parameters), prompt, includeRawChunks: true });
    await this.#readAll(stream.getReader());
  }

  async #readAll(reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>): Promise<void> {
    for (let next = await reader.read(); !next.done && !this.#over; next = await reader.read()) this.#read(next.value);
    if (this.#over) return;
    const condition = this.#accepted ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_BAD_ANSWER';
    this.#fail(this.#call.failure ?? new GatewayError(condition, 'the provider ended the stream before the answer was complete'));
  }

  #read(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'raw':
        this.#event = part.rawValue;
        return;
      // The SDK emits this before the upstream has sent anything.
      case 'stream-start':
        return;
      case 'error':
        return this.#refuse(part.error);
      case 'finish':
        return this.#end(part);
      case 'text-delta':
        return this.#keep(this.#texts, part.delta);
      case 'reasoning-delta':
        return this.#keep(this.#thoughts, part.delta);
      case 'response-metadata':
        this.#model = part.modelId ?? this.#model;
        if (this.#event !== undefined) this.#accept();
        return;
      default:
        if (this.#event !== undefined) this.#accept();
    }
  }

  /** Collects texts, so that those that arrive in the same event-loop iteration are sent together. */
  #keep(texts: string[], text: string): void {
    this.#accept();
    if (text === '') return;
    texts.push(text);
    this.#flush ??= setImmediate(() => this.#flushTexts());
  }

  #flushTexts(): void {
    clearImmediate(this.#flush);
    this.#flush = undefined;
    if (this.#over) return;
    if (this.#thoughts.length > 0) this.#sink.reasoning(this.#thoughts.splice(0));
    if (this.#texts.length > 0) this.#sink.deltas(this.#texts.splice(0));
  }

  /**
   * Handles an error part: fails on error events and unreadable ones, ignores event types that the SDK does not know, as providers require.
   */
  #refuse(error: unknown): void {
    const { secret } = this.#turn.connection;
    if (isErrorEvent(this.#event)) this.#fail(toStreamError(this.#event, secret));
    else if (typeof this.#event !== 'object' || this.#event === null) this.#fail(toSdkError(error, secret));
  }

  #end({ finishReason, usage }: Extract<LanguageModelV3StreamPart, { type: 'finish' }>): void {
    if (isTruncatedStream(finishReason)) return;
    this.#accept();
    this.#finish({ finishReason: toFinishReason(finishReason), upstreamState: '', usage: toUsage(usage), model: this.#model });
  }

  #accept(): void {
    if (this.#accepted || this.#over) return;
    this.#accepted = true;
    this.#call.markAccepted();
    this.#sink.accepted();
  }

  #finish(outcome: UpstreamOutcome): void {
    if (this.#over) return;
    this.#flushTexts();
    this.#over = true;
    this.#call.finish();
    this.#sink.finished(outcome);
  }

  #fail(error: GatewayError): void {
    if (this.#over) return;
    this.#flushTexts();
    this.#over = true;
    this.#call.abort();
    this.#sink.failed(error);
  }
}
