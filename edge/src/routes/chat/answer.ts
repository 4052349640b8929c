import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Linked, LinkedSet } from '@parley/kit/collections/linked-set';
import { type Exchange, type Inlet } from '@parley/kit/rpc/exchange';
import { LostCallError } from '@parley/kit/rpc/status';
import { GatewayError } from '@parley/protos/errors';
import { type TurnAccepted, type TurnCompleted, type TurnEvent } from '@parley/protos/routing/v1/routing';
import { errorEnvelope, sendError, sendJson } from '../../middleware/errors.ts';
import { type Principal } from '../../middleware/principal.ts';
import { contextOf } from '../../middleware/request-context.ts';
import { OutputWindow } from '../../output-window.ts';
import { SseStream } from '../../sse.ts';
import { ChatChunks, chatCompletion } from '../../wire/chat.ts';
import { type ChatDeps } from './deps.ts';
import { HEADERS, type ParsedChat } from './turn-request.ts';

/** chat-routing bounds the turn itself; this is for a chat-routing that hangs. */
const SLACK_MS = 30_000;
/** Answers still open this long before a drain gives up hear that the gateway is shutting down. */
const DRAIN_SLACK_MS = 5_000;

/** The answers that are being given, so that a drain can end those it cannot wait for. */
export class LiveAnswers {
  readonly #deps: ChatDeps;
  readonly #live = new LinkedSet<Answer>();
  readonly #window = new OutputWindow();

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    const stopAll = () => {
      const error = new GatewayError('SHUTTING_DOWN', 'the gateway is shutting down', { retryAfterMs: 1_000 });
      for (const answer of this.#live) answer.stop(error);
    };
    const patience = Math.max(0, deps.config.drainMs - DRAIN_SLACK_MS);
    deps.draining.addEventListener('abort', () => setTimeout(stopAll, patience).unref(), { once: true });
  }

  /** Asks chat-routing for the turn and answers with what comes back. */
  open(req: IncomingMessage, res: ServerResponse, chat: ParsedChat, principal: Principal): void {
    if (res.destroyed) return;
    const answer = new Answer({ deps: this.#deps, window: this.#window, req, res, chat, principal }, () => this.#live.delete(answer));
    this.#live.add(answer);
    answer.start();
  }
}

/** What an answer is made of. */
interface AnswerParts {
  deps: ChatDeps;
  window: OutputWindow;
  req: IncomingMessage;
  res: ServerResponse;
  chat: ParsedChat;
  principal: Principal;
}

/** One answer, streamed or whole. */
class Answer extends Linked implements Inlet<TurnEvent> {
  readonly #parts: AnswerParts;
  readonly #requestId: string;
  readonly #over: () => void;
  #exchange: Exchange | undefined;
  #accepted: TurnAccepted | undefined;
  #completed: TurnCompleted | undefined;
  #stream: { sse: SseStream; chunks: ChatChunks } | undefined;
  #recorded = false;
  #ended = false;

  /** `over` is called when nothing more will be sent. */
  constructor(parts: AnswerParts, over: () => void) {
    super();
    this.#parts = parts;
    this.#requestId = contextOf(parts.req).id;
    this.#over = over;
  }

  start(): void {
    this.#parts.res.on('close', () => this.#hungUp());
    const { turn } = this.#parts.chat;
    const weight = turn.messages.reduce((sum, { text, parts }) => sum + text.length + weigh(parts), 0);
    const { turnDeadlineMs } = this.#parts.deps.config;
    this.#exchange = this.#parts.deps.clients.chatRouting.turns(turn, this, {
      caller: this.#parts.principal,
      deadlineMs: turnDeadlineMs + SLACK_MS,
      weight,
    });
  }

  /** Ends the answer early; the turn is told, and records what it has. */
  stop(error: GatewayError): void {
    if (this.#ended) return;
    this.#exchange?.cancel();
    this.#recorded = true;
    this.fail(error);
  }

  message({ event }: TurnEvent): void {
    switch (event?.$case) {
      case 'accepted':
        this.#accepted = event.value;
        if (this.#parts.chat.turn.stream) this.#open(event.value);
        return;
      case 'deltas':
        return this.#stream?.sse.write(this.#stream.chunks.deltas(event.value.texts));
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
    this.#close();
    if (this.#stream) return this.#stream.sse.end(this.#stream.chunks.completed(this.#completed, this.#parts.chat.includeUsage));
    sendJson(this.#parts.res, this.#requestId, 200, chatCompletion(this.#accepted, this.#completed), conversationHeader(this.#accepted));
  }

  fail(error: GatewayError): void {
    this.#close();
    // A turn that began is counted where it is recorded; when the way to chat-routing broke, its reaper decides.
    const { deps, principal } = this.#parts;
    const isRefused = !this.#recorded && !this.#accepted && !(error instanceof LostCallError);
    if (isRefused) deps.refusals.count(principal, error.row.http === 429 ? 'rate_limited' : 'errors');
    if (this.#stream) {
      contextOf(this.#parts.res.req).error = error;
      this.#stream.sse.end(this.#stream.chunks.failed(errorEnvelope(this.#requestId, error)));
    } else sendError(this.#parts.res, this.#requestId, error);
  }

  #open(accepted: TurnAccepted): void {
    const chunks = new ChatChunks(accepted);
    const options = {
      window: this.#parts.window,
      headers: { 'x-request-id': this.#requestId, ...conversationHeader(accepted) },
      pingMs: this.#parts.deps.config.pingIntervalMs,
      stalledMs: this.#parts.deps.config.stalledClientMs,
      onFull: () => this.#exchange?.pause(),
      onDrain: () => this.#exchange?.resume(),
    };
    this.#stream = { chunks, sse: new SseStream(this.#parts.res, options, chunks.first()) };
  }

  #hungUp(): void {
    if (this.#ended) return;
    this.#close();
    this.#exchange?.cancel();
  }

  #close(): void {
    this.#ended = true;
    this.#over();
  }
}

function conversationHeader({ conversationId }: TurnAccepted): Record<string, string> {
  return { [HEADERS.conversation.toLowerCase()]: conversationId };
}

function weigh(parts: readonly { content?: { value: string } }[]): number {
  return parts.reduce((sum, { content }) => sum + (content?.value.length ?? 0), 0);
}
