import { type Call, type Caller } from '@parley/kit/rpc/call';
import { toMultiplexedHandler } from '@parley/kit/rpc/multiplexed-call';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import {
  type BeginTurn,
  type Binding,
  type ConversationServiceService,
  type EndTurn,
  type HistoryMessage,
  type MoveTurn,
  type RecordRequest,
  type RecordResponse,
  type TurnBegun,
  type TurnRecord,
} from '@parley/protos/conversation/v1/conversation';
import {
  type Conversation as ConversationAnswer,
  type CreateConversationRequest,
  type ImportedMessage,
  type MergeUpstreamRequest,
} from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';

/** A turn in the fake record. */
export interface RecordedTurn {
  begin: BeginTurn;
  caller: Caller;
  startedAt: Date;
  end?: EndTurn;
  /** How often its end was asked for. */
  ends: number;
}

interface Conversation extends Omit<Binding, 'started'> {
  owner: Caller;
  title: string;
  imported: readonly ImportedMessage[];
  /** What the upstream had the last time. */
  upstream: MergeUpstreamRequest['messages'];
}

/** What belongs to the resource and not to its turns. */
const missing = (): never => {
  throw new GatewayError('NOT_IMPLEMENTED', 'not asked by chat-routing');
};

/** What may go wrong, by question. */
type Fault = (question: NonNullable<RecordRequest['question']>, call: Call) => Promise<void> | void;

/** The conversation service as chat-routing sees it, in memory: one turn at a time, idempotency, ends that count once. */
export class FakeConversation {
  readonly conversations = new Map<string, Conversation>();
  readonly turns = new Map<string, RecordedTurn>();
  readonly partials: { turnId: string; text: string }[] = [];
  readonly cleared: string[] = [];
  readonly heartbeats: { runnerId: string; runnerName: string }[] = [];
  /** Runs before a question is answered; throws or waits as a test wants. */
  before: Fault = () => undefined;
  /** Runs when the answer is there; a fault here means that it was done without an answer. */
  after: Fault = () => undefined;

  /** Runs before what concerns every conversation of an account is done. */
  beforeBulk: (what: 'count' | 'rebind' | 'mark') => void = () => undefined;

  readonly merges: MergeUpstreamRequest[] = [];

  readonly handlers: Handlers<typeof ConversationServiceService> = {
    record: toMultiplexedHandler(async ({ question }, call) => {
      if (!question) throw new GatewayError('NOT_IMPLEMENTED', 'no question');
      await this.before(question, call);
      const response = this.#answer(question, call);
      await this.after(question, call);
      return { answer: response };
    }),
    recallTurn: async ({ which }, { caller }) => {
      const own = [...this.turns.values()].filter((turn) => turn.caller.keyId === caller.keyId);
      if (which?.$case === 'turnId') return { turn: optional(own.find(({ begin }) => begin.turnId === which.value)) };
      const digest = Buffer.from(which?.value ?? '');
      const refused = ({ begin, end }: RecordedTurn) =>
        end?.status === 'failed' && end.finishReason === '' && digest.equals(begin.requestDigest);
      const opened = own.find((turn) => turn.begin.newConversation && this.turnsOf(turn.begin.conversationId).every(refused));
      return { turn: optional(opened && this.turnsOf(opened.begin.conversationId).at(-1)) };
    },
    createConversation: async (request, { caller }) => toAnswer(this.#create(request, caller)),
    importConversation: async ({ conversation, messages }, { caller }) =>
      toAnswer(this.#create(conversation ?? missing(), caller, messages)),
    getConversation: async ({ conversationId }, call) => ({
      conversation: toAnswer(this.#open(conversationId, call)),
      participants: [],
    }),
    mergeUpstream: async (request, call) => {
      const conversation = this.#open(request.conversationId, call);
      this.merges.push(request);
      conversation.continuityStatus = request.continuityStatus;
      if (request.upstreamState !== '') conversation.upstreamState = request.upstreamState;
      if (request.continuityStatus === 'available') conversation.upstream = request.messages;
      return toAnswer(conversation);
    },
    listConversations: missing,
    updateConversation: missing,
    deleteConversation: missing,
    archiveConversation: missing,
    restoreConversation: missing,
    listMessages: missing,
    getMessage: missing,
    shareConversation: missing,
    transferConversation: missing,
    listParticipants: missing,
    updateParticipant: missing,
    removeParticipant: missing,
    getRequest: missing,
    listTurns: missing,
    sumTokens: missing,
    setContinuity: async ({ conversationId, status }, call) => {
      this.#open(conversationId, call).continuityStatus = status;
      return {};
    },
    clearContinuity: async ({ upstreamAccountId }) => {
      this.cleared.push(upstreamAccountId);
      for (const conversation of this.conversations.values()) {
        if (
          conversation.upstreamAccountId === upstreamAccountId &&
          ['session_expired', 'upstream_unavailable'].includes(conversation.continuityStatus)
        )
          conversation.continuityStatus = 'available';
      }
      return {};
    },
    countConversations: async ({ upstreamProjectIds }) => {
      const own = [...this.conversations.values()];
      const countOf = (id: string) => own.filter(({ upstreamProjectId }) => upstreamProjectId === id).length;
      const counts = upstreamProjectIds.map((upstreamProjectId) => ({ upstreamProjectId, conversations: countOf(upstreamProjectId) }));
      return { counts: counts.filter(({ conversations }) => conversations > 0) };
    },
    releaseIdempotencyKey: async ({ turnId }) => {
      const turn = this.turns.get(turnId);
      if (turn?.end && turn.end.status !== 'completed') turn.begin.idempotencyKey = '';
      return {};
    },
    countBoundConversations: async ({ upstreamAccountId }) => {
      this.beforeBulk('count');
      return { conversations: this.boundTo(upstreamAccountId).length };
    },
    rebindConversations: async ({ fromAccountId, toAccountId, keepState }) => {
      this.beforeBulk('rebind');
      const bound = this.boundTo(fromAccountId);
      for (const conversation of bound) {
        conversation.upstreamAccountId = toAccountId;
        conversation.continuityStatus = 'available';
        if (!keepState) conversation.upstreamState = '';
      }
      return { conversations: bound.length };
    },
    markConversations: async ({ of, status }) => {
      this.beforeBulk('mark');
      const isMarked = (one: Conversation) =>
        of?.value === (of?.$case === 'upstreamAccountId' ? one.upstreamAccountId : one.upstreamProjectId);
      for (const conversation of this.conversations.values()) if (isMarked(conversation)) conversation.continuityStatus = status;
      return {};
    },
    heartbeat: async ({ runnerId, runnerName }) => {
      this.heartbeats.push({ runnerId, runnerName });
      return {};
    },
  };

  /** The conversations that are bound to an account. */
  boundTo(upstreamAccountId: string): Conversation[] {
    return [...this.conversations.values()].filter((conversation) => conversation.upstreamAccountId === upstreamAccountId);
  }

  /** The turns of a conversation in order. */
  turnsOf(conversationId: string): RecordedTurn[] {
    return [...this.turns.values()].filter(({ begin }) => begin.conversationId === conversationId);
  }

  history(conversationId: string, beforeTurnId = ''): HistoryMessage[] {
    const all = this.turnsOf(conversationId);
    const before = all.findIndex(({ begin }) => begin.turnId === beforeTurnId);
    const imported = (this.conversations.get(conversationId)?.imported ?? []).map((message, at) => ({
      ...{ ...message, id: `imported-${at}`, parts: [], files: [], status: 'completed' },
    }));
    const recorded = all
      .slice(0, before < 0 ? undefined : before)
      .flatMap(({ begin, end }) => [
        ...begin.messages.map((message) => ({ ...message, status: 'completed' })),
        ...(end && !isRefused(end)
          ? [{ id: begin.assistantMessageId, role: 'assistant', text: end.text, parts: [], files: [], status: end.status }]
          : []),
      ]);
    return [...imported, ...recorded];
  }

  #answer(question: NonNullable<RecordRequest['question']>, call: Call): RecordResponse['answer'] {
    switch (question.$case) {
      case 'open':
        return { $case: 'binding', value: this.#binding(this.#open(question.value.conversationId, call)) };
      case 'history':
        this.#open(question.value.conversationId, call);
        return { $case: 'history', value: { messages: this.history(question.value.conversationId, question.value.beforeTurnId) } };
      case 'begin':
        return { $case: 'begun', value: this.#begin(question.value, call.caller) };
      case 'end':
        return { $case: 'closed', value: { closed: this.#end(question.value) } };
      case 'partial':
        this.partials.push(question.value);
        return { $case: 'saved', value: {} };
      case 'move':
        return { $case: 'moved', value: { moved: this.#move(question.value) } };
    }
  }

  #create(request: CreateConversationRequest, owner: Caller, imported: readonly ImportedMessage[] = []): Conversation {
    const conversation: Conversation = {
      ...{ ...request, owner, imported, upstream: [] },
      ...{
        accountNamed: request.accountNamed,
        destinationType: 'general',
        continuityStatus: 'available',
        upstreamState: '',
        lastSequence: 0,
        busy: false,
      },
    };
    this.conversations.set(request.conversationId, conversation);
    return conversation;
  }

  #open(conversationId: string, { caller }: Call): Conversation {
    const conversation = this.conversations.get(conversationId);
    if (!conversation) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation does not exist');
    if (caller.keyId !== conversation.owner.keyId)
      throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'the conversation belongs to another key');
    return conversation;
  }

  #binding({ conversationId, ...rest }: Conversation): Binding {
    const turns = this.turnsOf(conversationId);
    const last = turns.at(-1);
    const asked = turns.findLast(({ begin }) => begin.messages.length > 0);
    const lastTurn = last && {
      turnId: last.begin.turnId,
      status: last.end?.status ?? 'streaming',
      requestDigest: Buffer.from(last.begin.requestDigest),
      askedTurnId: asked?.begin.turnId ?? last.begin.turnId,
      failedAccountIds: isRefused(last.end) ? failedIn(last.end) : [],
    };
    const lastSequence = turns.length;
    const started = rest.upstreamState !== '' || turns.some(({ end }) => end && !isRefused(end));
    return { ...rest, conversationId, lastSequence, busy: turns.some(({ end }) => !end), started, lastTurn };
  }

  #begin(begin: BeginTurn, caller: Caller): TurnBegun {
    if (this.turns.has(begin.turnId)) return { outcome: 'begun' };
    const earlier = [...this.turns.values()].find(
      (turn) => begin.idempotencyKey !== '' && turn.begin.idempotencyKey === begin.idempotencyKey && turn.caller.keyId === caller.keyId,
    );
    if (earlier && !Buffer.from(earlier.begin.requestDigest).equals(Buffer.from(begin.requestDigest))) {
      throw new GatewayError('VALIDATION_ERROR', 'the idempotency key was used with another request', { param: 'Idempotency-Key' });
    }
    if (earlier) return { outcome: 'duplicate', earlier: toRecord(earlier) };
    const { newConversation, conversationId } = begin;
    if (newConversation) {
      this.#create({ conversationId, accountNamed: false, ...newConversation }, caller);
    } else {
      const { lastSequence, busy } = this.#binding(this.#open(conversationId, { caller } as Call));
      if (busy || begin.sequence !== lastSequence + 1) return { outcome: 'busy' };
    }
    this.turns.set(begin.turnId, { begin, caller, startedAt: new Date(), ends: 0 });
    return { outcome: 'begun' };
  }

  #move({ turnId, conversationId, upstreamAccountId, model }: MoveTurn): boolean {
    const turn = this.turns.get(turnId);
    const conversation = this.conversations.get(conversationId);
    if (!turn || turn.end || !conversation || this.turnsOf(conversationId).some(({ end }) => end && !isRefused(end))) return false;
    Object.assign(turn.begin, { upstreamAccountId, model });
    Object.assign(conversation, { upstreamAccountId, model, upstreamState: '', continuityStatus: 'available' });
    return true;
  }

  #end(end: EndTurn): boolean {
    const turn = this.turns.get(end.turnId);
    if (!turn) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the turn does not exist');
    turn.ends++;
    if (turn.end) return turn.end.status === end.status && turn.end.text === end.text;
    turn.end = end;
    const conversation = this.conversations.get(end.conversationId);
    if (conversation && end.upstreamState !== '') conversation.upstreamState = end.upstreamState;
    return true;
  }
}

function isRefused(end: EndTurn | undefined): boolean {
  return end?.status === 'failed' && end.finishReason === '';
}

function failedIn(end: EndTurn | undefined): string[] {
  return (end?.attempts ?? []).flatMap(({ connectionId, outcome }) => (outcome === 'ok' ? [] : [connectionId]));
}

function optional(turn: RecordedTurn | undefined): TurnRecord | undefined {
  return turn && toRecord(turn);
}

function toRecord({ begin, end, startedAt }: RecordedTurn): TurnRecord {
  const { turnId, conversationId, assistantMessageId, model } = begin;
  const { status = 'streaming', text = '', reasoning = '', finishReason = '', tokensIn = 0, tokensOut = 0, error } = end ?? {};
  const refused = isRefused(end);
  const answer = {
    status,
    text,
    reasoning,
    finishReason,
    tokensIn,
    tokensOut,
    error,
    refused,
    assetIds: (end?.artifacts ?? []).map(({ assetId }) => assetId),
  };
  return { turnId, conversationId, assistantMessageId, model, startedAt, ...answer };
}

function toAnswer({ conversationId: id, ...conversation }: Conversation): ConversationAnswer {
  const { title, upstreamAccountId, upstreamProjectId, destinationType, model, continuityStatus, owner, upstream } = conversation;
  return {
    ...{ id, status: 'active', title, upstreamAccountId, upstreamProjectId, destinationType, model, continuityStatus },
    ...{ pinned: false, messageCount: upstream.length, ownerUserId: owner.userId },
  };
}
