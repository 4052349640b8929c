import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import {
  type BeginTurn,
  type Binding,
  type ConversationServiceService,
  type EndTurn,
  type ListHistoryRequest,
  type ListHistoryResponse,
  type RecordRequest,
  type TurnBegun,
  type TurnMoved,
} from '@parley/protos/conversation/v1/conversation';

/** A caller with a key of a workspace. */
export function newCaller(over: Partial<Caller> = {}): Caller {
  return { workspaceId: uuidv7(), keyId: uuidv7(), userId: uuidv7(), scopes: ['chat'], requestId: `req-${uuidv7()}`, ...over };
}

/** The start of a turn that starts a conversation. */
export function newBeginTurn(over: Partial<BeginTurn> = {}): BeginTurn {
  return {
    turnId: uuidv7(),
    conversationId: uuidv7(),
    newConversation: { title: '', upstreamAccountId: 'account-1', upstreamProjectId: '', model: 'auto' },
    sequence: 1,
    messages: [{ id: uuidv7(), role: 'user', text: 'Hello', parts: [], files: [] }],
    assistantMessageId: uuidv7(),
    model: 'auto',
    runnerId: uuidv7(),
    idempotencyKey: '',
    requestDigest: Buffer.alloc(0),
    upstreamAccountId: 'account-1',
    ...over,
  };
}

/** The start of the turn after another one. */
export function nextBeginTurn(before: BeginTurn, over: Partial<BeginTurn> = {}): BeginTurn {
  const { conversationId, runnerId } = before;
  return newBeginTurn({ conversationId, runnerId, sequence: before.sequence + 1, newConversation: undefined, ...over });
}

/** The end of a completed turn. */
export function newEndTurn({ turnId, conversationId, assistantMessageId }: BeginTurn, over: Partial<EndTurn> = {}): EndTurn {
  return {
    ...{ turnId, conversationId, assistantMessageId },
    status: 'completed',
    text: 'Hi there',
    finishReason: 'stop',
    model: 'auto',
    connectionId: 'account-1',
    tokensIn: 3,
    tokensOut: 5,
    durationMs: 120,
    error: undefined,
    upstreamState: '',
    artifacts: [],
    attempts: [],
    reasoning: '',
    ...over,
  };
}

/** The end of a turn that no upstream accepted. */
export const REFUSED = { status: 'failed', text: '', finishReason: '' };

/** The `Record` stream of one caller. */
export class TurnClient {
  readonly #stub: Stub<typeof ConversationServiceService>;
  readonly caller: Caller;

  constructor(stub: Stub<typeof ConversationServiceService>, caller: Caller) {
    this.#stub = stub;
    this.caller = caller;
  }

  async open(conversationId: string): Promise<Binding> {
    return this.#ask('open', { conversationId }, 'binding') as Promise<Binding>;
  }

  async begin(start: BeginTurn): Promise<TurnBegun> {
    return this.#ask('begin', start, 'begun') as Promise<TurnBegun>;
  }

  /** True when the recorded end equals the given one. */
  async end(end: EndTurn): Promise<boolean> {
    return ((await this.#ask('end', end, 'closed')) as { closed: boolean }).closed;
  }

  /** True when the turn is on that connection. */
  async move({ turnId, conversationId }: BeginTurn, upstreamAccountId: string, model = 'auto'): Promise<boolean> {
    const answer = await this.#ask('move', { turnId, conversationId, upstreamAccountId, model }, 'moved');
    return (answer as TurnMoved).moved;
  }

  async savePartial(turnId: string, text: string): Promise<void> {
    await this.#ask('partial', { turnId, text }, 'saved');
  }

  /** Begins and ends a turn. */
  async turn(start: BeginTurn, end: Partial<EndTurn> = {}): Promise<BeginTurn> {
    await this.begin(start);
    await this.end(newEndTurn(start, end));
    return start;
  }

  async listHistory(question: ListHistoryRequest): Promise<ListHistoryResponse> {
    return this.#ask('history', question, 'history') as Promise<ListHistoryResponse>;
  }

  /** Roles and texts of a conversation. */
  async history(conversationId: string): Promise<string[]> {
    const { messages } = await this.listHistory({ conversationId, beforeTurnId: '' });
    return messages.map(({ role, text }) => `${role}: ${text}`);
  }

  async #ask($case: string, value: unknown, expected: string): Promise<unknown> {
    const request = { question: { $case, value } } as RecordRequest;
    const { answer } = await callMultiplexed(this.#stub.record, request, { caller: this.caller, deadlineMs: 20_000 });
    if (answer?.$case !== expected) throw new Error(`the record answered ${answer?.$case}`);
    return answer.value;
  }
}
