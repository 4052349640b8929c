import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type EventSourceMessage } from 'eventsource-parser';
import { badAnswer, EventStream } from '../event-stream.ts';
import { authorization } from '../openai-compatible/models.ts';
import { type Pools } from '../pools.ts';
import { type TurnSink, type UpstreamHold, type UpstreamTurn } from '../provider.ts';
import { RefusalBody } from '../refusal-body.ts';
import { type ResponseReader, UpstreamCall } from '../upstream-call.ts';
import { artifactsOf } from './artifacts.ts';
import { openAi } from './client.ts';
import { beginConversation, deleteConversation, requireConversation } from './conversations.ts';
import { failureOf, readRefusal, refused } from './failures.ts';
import { readState, type UpstreamState } from './state.ts';
import { requestOf, type Toolbox, type Untold } from './turn-request.ts';
import { whatIsGone } from './what-is-gone.ts';
import { events, type OutputItem } from './wire.ts';

/** How long a stopped answer may take to say so before the connection is closed on it. */
const STOP_MS = 5_000;

const NOTHING: Untold = { messages: [], files: new Map() };

/** What turns need besides themselves. */
export interface ChatDeps {
  pools: Pools;
  /** Models of accounts that refused the tools which make something. */
  plainModels: { has(key: string): boolean; set(key: string, value: true): unknown };
}

/**
 * Puts a turn to `/responses`, in a conversation that the upstream keeps. Where it has none yet, or a turn did not come to its end in it, another
 * one is begun with everything that the record has: the upstream adds to a conversation only what was completed.
 */
export function chat(deps: ChatDeps, turn: UpstreamTurn, sink: TurnSink): UpstreamHold {
  const call = new ResponseCall(deps, turn, sink);
  call.start();
  return call;
}

class ResponseCall implements UpstreamHold, ResponseReader {
  readonly #deps: ChatDeps;
  readonly #turn: UpstreamTurn;
  readonly #sink: TurnSink;
  readonly #known: UpstreamState | undefined;
  /** The conversation of this turn, and whether it was begun for it. */
  #conversation = '';
  #isFresh = false;
  #untold = NOTHING;
  #toolbox: Toolbox;
  #call: UpstreamCall | undefined;
  readonly #events = new EventStream((event) => this.#read(event));
  #refusal: RefusalBody | undefined;
  /** The id of the answer, once the upstream has begun it. */
  #response = '';
  #lastItem: string | undefined;
  #speaking = '';
  readonly #cited = new Set<string>();
  #texts: string[] = [];
  #over = false;
  #stopTimer: NodeJS.Timeout | undefined;

  constructor(deps: ChatDeps, turn: UpstreamTurn, sink: TurnSink) {
    this.#deps = deps;
    this.#turn = turn;
    this.#sink = sink;
    this.#known = readState(turn.upstreamState);
    this.#toolbox = deps.plainModels.has(this.#model) ? 'search' : 'all';
  }

  start(): void {
    if (this.#known?.last === undefined) this.#begin().catch((error: unknown) => this.fail(toGatewayError(error)));
    else {
      this.#conversation = this.#known.conversation;
      this.#send();
    }
  }

  pause(): void {
    this.#call?.pause();
  }

  resume(): void {
    this.#call?.resume();
  }

  /** Asks the upstream to stop: closing the stream would not. Before it has begun there is nothing to ask about. */
  stop(): void {
    if (this.#over || this.#stopTimer) return;
    if (!this.#call) return this.#finish('stop', this.#unsettled());
    this.#call.resume();
    this.#stopTimer = setTimeout(() => this.#finish('stop', this.#unsettled()), STOP_MS);
    if (this.#response) this.#cancel();
  }

  head(status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status !== 200) this.#refusal = new RefusalBody(status, headers);
    else if (!String(headers['content-type']).startsWith('text/event-stream'))
      this.#refuse(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no event stream'));
  }

  chunk(bytes: Buffer): void {
    if (this.#refusal) return this.#refusal.push(bytes);
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
    if (this.#refusal) return this.#refused(this.#refusal);
    this.fail(
      new GatewayError(
        this.#response ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_BAD_ANSWER',
        'the provider ended the stream before the answer was complete',
      ),
    );
  }

  fail(error: GatewayError): void {
    // The stream of an answer that was stopped ends where it is.
    if (this.#stopTimer && this.#response) this.#finish('stop', this.#unsettled());
    else this.#fail(error, this.#unsettled());
  }

  /** Begins a conversation with what the record has. One that is known, but that nobody knows the content of, goes once the new one stands. */
  async #begin(): Promise<void> {
    const { pools } = this.#deps;
    const { account } = this.#turn;
    if (this.#known) await requireConversation(pools, account, this.#known.conversation);
    const messages = await this.#turn.history();
    const ids = messages.flatMap(({ files }) => files.map(({ fileId }) => fileId));
    this.#untold = { messages, files: ids.length > 0 ? await this.#turn.earlierFiles(ids) : NOTHING.files };
    if (this.#over) return;
    this.#conversation = await beginConversation(pools, account);
    this.#isFresh = true;
    if (this.#over) return this.#forget(this.#conversation);
    this.#send();
  }

  #send(): void {
    const { account, deadlines } = this.#turn;
    const { pool, path } = this.#deps.pools.of(account.baseUrl);
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...authorization(account) };
    const body = JSON.stringify(requestOf(this.#turn, this.#conversation, this.#untold, this.#toolbox));
    this.#call = new UpstreamCall(pool, { path: `${path}/responses`, headers, body }, deadlines, this);
  }

  #read({ event = '', data }: EventSourceMessage): void {
    if (this.#over) return;
    switch (event) {
      case 'response.created':
      case 'response.queued':
        return this.#accept(events[event].parse(JSON.parse(data)).response.id);
      case 'response.output_text.delta':
      case 'response.refusal.delta': {
        const { item_id, delta } = events[event].parse(JSON.parse(data));
        this.#requireBegun();
        // An answer may have several messages.
        if (this.#speaking !== '' && this.#speaking !== item_id) this.#texts.push('\n\n');
        this.#speaking = item_id;
        if (delta !== '') this.#texts.push(delta);
        return;
      }
      case 'response.output_item.done':
        this.#requireBegun();
        return this.#take(events[event].parse(JSON.parse(data)).item);
      case 'response.completed':
      case 'response.incomplete': {
        const { incomplete_details, usage } = events[event].parse(JSON.parse(data)).response;
        this.#requireBegun();
        this.#flush();
        const isWhole = event === 'response.completed' && this.#lastItem !== undefined;
        const state = isWhole ? { conversation: this.#conversation, last: this.#lastItem } : this.#unsettled();
        return this.#finish(REASONS[incomplete_details?.reason ?? ''] ?? 'stop', state, usage);
      }
      case 'response.failed': {
        const { error } = events[event].parse(JSON.parse(data)).response;
        throw failed(error?.code);
      }
      case 'error':
        throw failed(events.error.parse(JSON.parse(data)).code);
      default:
    }
  }

  #accept(response: string): void {
    if (this.#response) return;
    this.#response = response;
    this.#call?.accept();
    // What stood in the place of this conversation has been told to it.
    if (this.#isFresh && this.#known) this.#forget(this.#known.conversation);
    if (this.#stopTimer) this.#cancel();
    else this.#sink.accepted();
  }

  #requireBegun(): void {
    if (!this.#response) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered a turn that it had not begun');
  }

  #take(item: OutputItem): void {
    this.#lastItem = item.id;
    for (const artifact of artifactsOf(item, this.#response)) {
      // A file may be cited more than once.
      if (this.#cited.has(artifact.reference)) continue;
      this.#cited.add(artifact.reference);
      this.#flush();
      this.#sink.artifact(artifact);
    }
  }

  #flush(): void {
    if (this.#texts.length === 0 || this.#over) return;
    this.#sink.deltas(this.#texts.splice(0));
  }

  #refused(refusal: RefusalBody): void {
    const { status, retryAfter } = refusal;
    const body = refusal.read();
    const { code, param } = readRefusal(body);
    if (status === 400 && this.#toolbox === 'all' && param.startsWith('tools')) return this.#sendPlain();
    const error = refused(status, body, retryAfter);
    // A refusal of the request itself has left everything as it was; behind another one the upstream may have begun.
    const state = status < 500 ? this.#known : this.#unsettled();
    if (status !== 404 || code === 'model_not_found') return this.#fail(error, state);
    void whatIsGone(this.#deps.pools, this.#turn, this.#conversation, error).then((gone) => this.#fail(gone, state));
  }

  /** Not every model takes the tools that make something: it is asked again without them, now and from now on. */
  #sendPlain(): void {
    this.#deps.plainModels.set(this.#model, true);
    this.#toolbox = 'search';
    this.#refusal = undefined;
    this.#send();
  }

  #cancel(): void {
    const { pools } = this.#deps;
    const done = () => this.#finish('stop', this.#unsettled());
    // A refused stop is no matter: the next turn goes on elsewhere.
    openAi(pools, this.#turn.account).responses.cancel(this.#response).then(done, done);
  }

  #finish(finishReason: string, state: UpstreamState | undefined, usage?: { input_tokens: number; output_tokens: number } | null): void {
    if (!this.#close()) return;
    this.#call?.abort();
    if (!this.#response) this.#forgetFresh();
    const counts = usage ? { tokensIn: usage.input_tokens, tokensOut: usage.output_tokens } : undefined;
    this.#sink.finished({ finishReason, upstreamState: serialised(state), usage: counts });
  }

  #refuse(error: GatewayError): void {
    this.#call?.abort();
    this.fail(error);
  }

  #fail(error: GatewayError, state: UpstreamState | undefined): void {
    if (!this.#close()) return;
    // What nobody reads any more would go on all the same.
    if (this.#response)
      openAi(this.#deps.pools, this.#turn.account)
        .responses.cancel(this.#response)
        .catch(() => undefined);
    else this.#forgetFresh();
    this.#sink.failed(error, serialised(state));
  }

  /** Where the conversation stands when this turn does not come to its end: one that was begun for nothing is none. */
  #unsettled(): UpstreamState | undefined {
    if (this.#response) return { conversation: this.#conversation };
    return this.#known && (this.#call && !this.#isFresh ? { conversation: this.#known.conversation } : this.#known);
  }

  #forgetFresh(): void {
    if (this.#isFresh) this.#forget(this.#conversation);
  }

  #forget(conversation: string): void {
    // One that stays behind is in nobody's way.
    deleteConversation(this.#deps.pools, this.#turn.account, conversation).catch(() => undefined);
  }

  get #model(): string {
    return `${this.#turn.account.id} ${this.#turn.model}`;
  }

  #close(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#stopTimer);
    return true;
  }
}

const REASONS: Readonly<Record<string, string>> = { max_output_tokens: 'length', content_filter: 'content_filter' };

function failed(code: string | null | undefined): GatewayError {
  return failureOf(code ?? '') ?? new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering');
}

function serialised(state: UpstreamState | undefined): string {
  return state ? JSON.stringify(state) : '';
}
