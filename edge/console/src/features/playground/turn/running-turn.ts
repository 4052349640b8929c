import { type components } from '../../../api/generated/me.ts';
import { fetchInWorkspace, meClient } from '../../../api/me.ts';
import { asProblem, type Problem, parseProblem, readProblem } from '../../../api/problem.ts';
import { readSseData } from '../../../api/sse.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { type PartialAnswer, EMPTY_ANSWER, addChunk } from './partial-answer.ts';

/** A file that is uploaded to the conversation. */
export type Attachment = components['schemas']['Attachment'];

/** What is asked. */
export interface TurnRequest {
  workspaceId: string;
  model: string;
  text: string;
  attachments: readonly Attachment[];
  /** Routing headers, and the conversation where there is one. */
  headers: Readonly<Record<string, string>>;
  /** The same for every attempt, so that the gateway repeats a turn that broke off in place of asking twice. */
  idempotencyKey: string;
}

/** The phase of a turn: `waiting` for the first word, `answering`, or how it ended. */
export type TurnPhase = 'waiting' | 'answering' | 'done' | 'stopped' | 'failed';

/** The HTTP request and its response, without cookie and token. */
export interface HttpExchange {
  request: { url: string; headers: Readonly<Record<string, string>>; body: string };
  response: { status: number; headers: readonly (readonly [string, string])[] } | undefined;
  /** What was received, up to a bound. */
  received: string;
  isCut: boolean;
}

/** What is known of a turn at a moment. */
export interface TurnState {
  phase: TurnPhase;
  conversationId: string | undefined;
  answer: PartialAnswer;
  problem: Problem | undefined;
  exchange: HttpExchange;
  /** Milliseconds to the end; undefined before it. */
  totalMs: number | undefined;
  /** The record has all of it: what is shown comes from there. */
  isRecorded: boolean;
}

const RECEIVED_MAX = 400_000;
const CHAT = '/me/v1/chat/completions';

/** One question and its answer as it comes. It lives outside of the screen, so that leaving the screen does not end it. */
export class RunningTurn {
  readonly request: TurnRequest;
  /** Ids of the messages that were there before; what the record has of this turn is shown from here. */
  readonly knownMessageIds: ReadonlySet<string>;
  /** The question is one that the record shows already. */
  readonly isQuestionRecorded: boolean;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #startedAt = performance.now();
  #state: TurnState;
  #shown: TurnState;
  #isPainting = false;

  constructor(request: TurnRequest, known: ReadonlySet<string>, isAgain: boolean) {
    this.request = request;
    this.knownMessageIds = known;
    this.isQuestionRecorded = isAgain;
    const { 'X-Service-Conversation-Id': conversationId } = request.headers;
    const exchange = { request: described(request), response: undefined, received: '', isCut: false };
    const state = { phase: 'waiting', conversationId, answer: EMPTY_ANSWER, problem: undefined } as const;
    this.#state = this.#shown = { ...state, exchange, totalMs: undefined, isRecorded: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Returns the state to show, which changes at most once a frame. */
  readonly getState = (): TurnState => this.#shown;

  get isRunning(): boolean {
    return this.#state.phase === 'waiting' || this.#state.phase === 'answering';
  }

  /** Asks, and reads the answer to its end, whatever that is. `onConversation` gets the id as soon as it is known. */
  async run(onConversation: (conversationId: string) => void): Promise<void> {
    try {
      await this.#read(onConversation);
      if (this.isRunning) this.#set({ phase: 'done' });
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#set({ phase: 'failed', problem: asProblem(error) });
    }
    this.#set({ totalMs: this.#elapsed() });
    this.#paint();
  }

  /** Ends it; what has come is kept. */
  stop(): void {
    if (!this.isRunning) return;
    this.#set({ phase: 'stopped' });
    this.#abort.abort();
    // Without it the answer would go on for a page that comes back.
    void stopAnswer(this.request.idempotencyKey).catch(() => undefined);
  }

  /** Marks the turn as recorded, so that the messages are shown from the record. */
  markRecorded(): void {
    this.#set({ isRecorded: true });
    this.#paint();
  }

  async #read(onConversation: (conversationId: string) => void): Promise<void> {
    const { workspaceId } = this.request;
    const { headers, body } = this.#state.exchange.request;
    const response = await fetchInWorkspace(workspaceId, CHAT, { method: 'POST', headers, body, signal: this.#abort.signal });
    this.#set({ exchange: { ...this.#state.exchange, response: { status: response.status, headers: [...response.headers] } } });
    if (!response.ok || !response.body) {
      this.#received(await response.clone().text());
      throw await readProblem(response);
    }
    const conversationId = response.headers.get('x-service-conversation-id');
    if (conversationId !== null) {
      this.#set({ conversationId });
      onConversation(conversationId);
    }
    for await (const data of readSseData(response.body, (text) => this.#received(text))) {
      if (data === '[DONE]') return;
      this.#event(JSON.parse(data) as StreamEvent, response);
    }
    throw new TypeError('the stream ended early');
  }

  #event(event: StreamEvent, response: Response): void {
    if ('error' in event) throw parseProblem(event, response);
    this.#set({ phase: 'answering', answer: addChunk(this.#state.answer, event, this.#elapsed()) });
  }

  #received(text: string): void {
    const { exchange } = this.#state;
    const room = RECEIVED_MAX - exchange.received.length;
    this.#set({
      exchange: { ...exchange, received: exchange.received + text.slice(0, room), isCut: exchange.isCut || text.length > room },
    });
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  #set(change: Partial<TurnState>): void {
    this.#state = { ...this.#state, ...change };
    if (this.#isPainting) return;
    this.#isPainting = true;
    // A hidden page has no frames.
    if (document.hidden) setTimeout(() => this.#paint(), 250);
    else requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    this.#isPainting = false;
    if (this.#shown === this.#state) return;
    this.#shown = this.#state;
    for (const listener of this.#listeners) listener();
  }
}

type StreamEvent = components['schemas']['ChatCompletionChunk'] | components['schemas']['Error'];

function described({ model, text, attachments, headers, idempotencyKey, workspaceId }: TurnRequest): HttpExchange['request'] {
  const files = attachments.map(({ file_id }) => file_id);
  const body = {
    ...{ model, stream: true, stream_options: { include_usage: true } },
    messages: [{ role: 'user', content: text }],
    ...(files.length > 0 && { attachment_file_ids: files }),
  };
  const sent = { 'Content-Type': 'application/json', 'X-Service-Workspace': workspaceId, 'Idempotency-Key': idempotencyKey, ...headers };
  return { url: CHAT, headers: sent, body: JSON.stringify(body) };
}

/** Stops the answer to the request with this key, which goes on without its page otherwise. @throws Problem */
function stopAnswer(idempotencyKey: string): Promise<unknown> {
  return unwrap(meClient.POST('/me/v1/chat/completions/stop', { params: { header: { 'Idempotency-Key': idempotencyKey } } }));
}
