import { LinkedSetMember } from '@parley/kit/collections/linked-set';
import { LostCallError } from '@parley/kit/rpc/grpc-status';
import { type MultiplexedCall, type StreamObserver } from '@parley/kit/rpc/multiplexed-call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnAccepted, type TurnCompleted, type TurnEvent } from '@parley/protos/routing/v1/routing';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { AnswerAssetTracker, type AssetWaitOutcome } from '../../assets/answer-asset-tracker.ts';
import { toErrorEnvelope, sendError, sendJson } from '../../middleware/errors.ts';
import { getRequestContext } from '../../middleware/request-context.ts';
import { PING, type SseStream } from '../../sse/sse-stream.ts';
import { toAsset } from '../../wire/asset.ts';
import { ChatChunkWriter, toChatCompletion } from '../../wire/chat.ts';
import { type LifecycleEvent } from '../../wire/lifecycle-event.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type AdmittedChat } from './admitted-chat.ts';
import { type AnswerReplay } from './answer-replay.ts';
import { toConversationHeaders, openAnswerStream } from './answer-stream.ts';
import { type ChatDeps } from './deps.ts';
import { getAssetWaitMs } from './drain-timeouts.ts';
import { TurnSettlement } from './turn-settlement.ts';

/** Added to the deadline of the call, in milliseconds: chat-routing limits the turn itself, and this limits a chat-routing that hangs. */
const SLACK_MS = 30_000;

/** What an answer needs: its admitted request, and the response to write to. */
export interface AnswerContext extends AdmittedChat {
  deps: ChatDeps;
  req: IncomingMessage;
  res: ServerResponse;
  /** Only for an answer that continues when its client leaves. */
  replay?: AnswerReplay | undefined;
}

/** One answer of POST /v1/chat/completions: calls chat-routing for the turn and sends its events, streamed or as one JSON body. */
export class Answer extends LinkedSetMember implements StreamObserver<TurnEvent> {
  readonly #parts: AnswerContext;
  readonly #requestId: string;
  readonly #over: () => void;
  readonly #settlement: TurnSettlement;
  #call: MultiplexedCall | undefined;
  #accepted: TurnAccepted | undefined;
  #completed: TurnCompleted | undefined;
  /** Only when the upstream generated assets. */
  #assets: AnswerAssetTracker | undefined;
  #stream: { sse: SseStream; chunks: ChatChunkWriter } | undefined;
  #recorded = false;
  #ended = false;

  /** `over` is called once, when nothing more will be sent. */
  constructor(parts: AnswerContext, over: () => void) {
    super();
    this.#parts = parts;
    this.#requestId = getRequestContext(parts.req).id;
    this.#over = over;
    this.#settlement = new TurnSettlement(parts.reservation, parts.chat);
  }

  start(): void {
    this.#parts.res.on('close', () => this.#hungUp());
    const { turn, encoded } = this.#parts.chat;
    const weight = encoded?.bytes.length ?? turn.messages.reduce((sum, { text, parts }) => sum + text.length + weigh(parts), 0);
    const { turnDeadlineMs } = this.#parts.deps.config;
    turn.edgeMs = Math.round(performance.now() - getRequestContext(this.#parts.req).startedAt);
    this.#call = this.#parts.deps.clients.chatRouting.turns(turn, this, {
      caller: this.#parts.principal,
      deadlineMs: turnDeadlineMs + SLACK_MS,
      weight,
      rest: encoded,
    });
  }

  /** Cancels the turn and ends the answer early with an error; what the turn has so far is recorded. */
  cancelWithError(error: GatewayError): void {
    // An answer whose text was sent completely does not fail, whatever happens to its assets.
    if (this.#ended || this.endAssetWait()) return;
    this.#call?.cancel();
    this.#recorded = true;
    this.fail(error);
  }

  /** Stops the answer because its user requested it; the turn is cancelled, as when its only client leaves. */
  stopByUser(): void {
    if (this.#ended) return;
    this.#close();
    this.#settlement.settleEstimatedTokens();
    this.#call?.cancel();
    this.#sendFailure(new GatewayError('CANCELLED', 'the answer was stopped'));
  }

  /** Sends the answer to one more client, from its start. */
  addClient(res: ServerResponse): void {
    this.#parts.replay?.addClient(res);
  }

  /** Ends the wait for assets; returns false when the answer does not wait. */
  endAssetWait(): boolean {
    return this.#assets?.endWait() ?? false;
  }

  message({ event }: TurnEvent): void {
    switch (event?.$case) {
      case 'accepted':
        this.#accepted = event.value;
        return this.#accept(event.value);
      case 'waiting':
        // Proxies close a connection that is silent for a long time.
        if (!this.#stream && this.#parts.chat.turn.stream) this.#open(event.value, PING);
        return;
      case 'reasoning':
      case 'deltas':
        return this.#say(event.$case, event.value.texts);
      case 'artifact':
        this.#assets ??= this.#follow();
        return this.#assets?.trackArtifact(event.value);
      case 'assets':
        this.#assets ??= this.#follow();
        return this.#assets?.trackExisting(event.value.ids);
      case 'completed':
        this.#completed = event.value;
        return;
      case 'recorded':
        this.#recorded = true;
        return;
      case undefined:
    }
  }

  end(): void {
    if (!this.#accepted || !this.#completed) return this.fail(new GatewayError('INTERNAL_ERROR', 'internal error'));
    this.#settlement.settleReportedTokens(this.#completed);
    if (this.#assets) return this.#settle(this.#assets, this.#accepted, this.#completed);
    this.#close();
    if (this.#stream) return this.#finish(this.#stream.chunks.completed(this.#completed, this.#parts.chat.includeUsage));
    sendJson(
      this.#parts.res,
      this.#requestId,
      200,
      toChatCompletion(this.#accepted, this.#completed),
      toConversationHeaders(this.#accepted),
    );
  }

  fail(error: GatewayError): void {
    this.#close();
    // A started turn is counted where it is recorded; when the call to chat-routing is lost, the reaper of chat-routing decides.
    const { deps, principal } = this.#parts;
    const hasBegun = this.#recorded || this.#accepted !== undefined || this.#stream !== undefined;
    const isRefused = !hasBegun && !(error instanceof LostCallError);
    if (isRefused) {
      deps.refusals.count(principal, error.row.http === 429 ? 'rate_limited' : 'errors');
      this.#settlement.settleZeroTokens();
    } else this.#settlement.settleEstimatedTokens();
    this.#sendFailure(error);
  }

  /** Fails an answer whose turn was recorded and paid for, but which can no longer be sent. */
  #fail(error: GatewayError): void {
    this.#close();
    this.#sendFailure(error);
  }

  #sendFailure(error: GatewayError): void {
    this.#parts.replay?.fail(error);
    if (this.#stream) {
      getRequestContext(this.#parts.res.req).error = error;
      this.#stream.sse.end(this.#stream.chunks.failed(toErrorEnvelope(this.#requestId, error)));
    } else sendError(this.#parts.res, this.#requestId, error);
  }

  #say(kind: 'reasoning' | 'deltas', texts: string[]): void {
    this.#settlement.addReceivedText(texts);
    if (!this.#stream) return;
    const frames = this.#stream.chunks[kind](texts);
    this.#stream.sse.write(frames);
    this.#parts.replay?.addText(kind, texts, frames);
  }

  #write(frames: string): void {
    this.#stream?.sse.write(frames);
    this.#parts.replay?.addFrames(frames);
  }

  #finish(frames: string): void {
    this.#stream?.sse.end(frames);
    this.#parts.replay?.end(frames);
  }

  #follow(): AnswerAssetTracker | undefined {
    const { deps, principal } = this.#parts;
    const emit = (event: LifecycleEvent) => this.#stream && this.#write(this.#stream.chunks.lifecycle(event));
    return (
      this.#accepted &&
      new AnswerAssetTracker({
        ...deps,
        watch: deps.assetWatch,
        caller: principal,
        accepted: this.#accepted,
        link: getLinkWriter(principal),
        emit,
      })
    );
  }

  /** Called when the text has ended and the answer has assets: waits for them for a limited time before it ends the answer. */
  #settle(assets: AnswerAssetTracker, accepted: TurnAccepted, completed: TurnCompleted): void {
    const { deps, chat, principal, res } = this.#parts;
    const stream = this.#stream;
    if (stream) this.#write(stream.chunks.textEnd(completed));
    const open = () => stream && this.#write(stream.chunks.lifecycle({ type: 'response.partially_completed' }));
    const over = (outcome: AssetWaitOutcome) => {
      if (outcome === 'deleted') return this.#fail(new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation was deleted meanwhile'));
      this.#close();
      const last = outcome === 'settled' ? stream?.chunks.lifecycle({ type: 'response.completed' }) : '';
      if (stream) return this.#finish(`${last}${stream.chunks.done(completed, chat.includeUsage)}`);
      const made = assets.list().map((one) => toAsset(one, getLinkWriter(principal)));
      sendJson(res, this.#requestId, 200, toChatCompletion(accepted, completed, made), toConversationHeaders(accepted));
    };
    assets.notifyWhenSettled(getAssetWaitMs(deps), over, open);
  }

  #accept(accepted: TurnAccepted): void {
    if (!this.#parts.chat.turn.stream) return;
    const chunks = new ChatChunkWriter(accepted);
    if (!this.#stream) return this.#open(accepted, chunks.first());
    // While it waited, the turn may have moved to another account, where the model has another name.
    this.#stream.chunks = chunks;
    this.#stream.sse.write(chunks.first());
    this.#parts.replay?.start(accepted, chunks, chunks.first());
  }

  /** Opens the stream with its headers and first frames. */
  #open(accepted: TurnAccepted, firstFrames: string): void {
    const { deps, res, replay } = this.#parts;
    const flow = { onFull: () => this.#call?.pause(), onDrain: () => this.#call?.resume() };
    const chunks = new ChatChunkWriter(accepted);
    const sse = openAnswerStream(deps, res, { requestId: this.#requestId, accepted, ...flow }, firstFrames);
    this.#stream = { chunks, sse };
    replay?.start(accepted, chunks, firstFrames);
  }

  #hungUp(): void {
    if (this.#ended) return;
    // The answer continues for a page that may come back; the turn no longer waits for the client that left.
    if (this.#parts.replay) return this.#call?.resume();
    this.#close();
    this.#settlement.settleEstimatedTokens();
    this.#call?.cancel();
  }

  #close(): void {
    this.#ended = true;
    this.#assets?.stop();
    this.#over();
  }
}

function weigh(parts: readonly { content?: { value: string } }[]): number {
  return parts.reduce((sum, { content }) => sum + (content?.value.length ?? 0), 0);
}
