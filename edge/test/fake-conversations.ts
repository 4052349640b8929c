import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type Conversation, type ListConversationsRequest, type Message } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type CreateConversationRequest, type SyncConversationRequest } from '@parley/protos/routing/v1/routing';
import {
  type Kept,
  mayAct,
  matches,
  NOW,
  participantOf,
  type Role,
  roleOf,
  share,
  type Sharing,
  transfer,
} from './fake-conversation-rules.ts';
import { type ConversationRecord } from './fake-routing.ts';

/** A message as the conversation service would answer it. */
export function message(change: Partial<Message> = {}): Message {
  return {
    id: uuidv7(),
    conversationId: '',
    role: 'assistant',
    status: 'completed',
    content: 'hello',
    model: 'sandbox-1',
    createdAt: NOW,
    completedAt: NOW,
    assetIds: [],
    reasoning: '',
    ...change,
  };
}

/** Plays the conversation service: conversations in memory, and its rules about who may do what. */
export class FakeConversations implements ConversationRecord {
  kept = new Map<string, Kept>();
  /** Every call with its method, for looking at callers and requests. */
  calls: { method: string; request: unknown; call: Call }[] = [];
  /** Thrown by every unary method while it is set. */
  failure: GatewayError | undefined;

  handlers(): Handlers<typeof ConversationServiceService> {
    const absent = () => Promise.reject(new GatewayError('NOT_IMPLEMENTED', 'not played'));
    return {
      record: (_request, stream) => stream.fail(new GatewayError('NOT_IMPLEMENTED', 'not played')),
      recallTurn: absent,
      createConversation: absent,
      importConversation: absent,
      mergeUpstream: absent,
      setContinuity: absent,
      clearContinuity: absent,
      heartbeat: absent,
      countConversations: absent,
      releaseIdempotencyKey: absent,
      countBoundConversations: absent,
      rebindConversations: absent,
      markConversations: absent,
      getRequest: absent,
      listTurns: absent,
      sumTokens: absent,
      listConversations: this.#on('listConversations', (request: ListConversationsRequest, call) => this.#list(request, call)),
      getConversation: this.#of('getConversation', 'viewer', ({ conversation, participants }) => ({ conversation, participants })),
      updateConversation: this.#of('updateConversation', 'editor', ({ conversation }, request: Change) =>
        Object.assign(
          conversation,
          request.title !== undefined && { title: request.title },
          request.pinned !== undefined && { pinned: request.pinned },
        ),
      ),
      deleteConversation: this.#of('deleteConversation', 'owner', (kept) => {
        kept.isDeleted = true;
        return {};
      }),
      archiveConversation: this.#of('archiveConversation', 'editor', ({ conversation }) =>
        Object.assign(conversation, { status: 'archived' }),
      ),
      restoreConversation: this.#of('restoreConversation', 'editor', ({ conversation }) =>
        Object.assign(conversation, { status: 'active' }),
      ),
      listMessages: this.#of('listMessages', 'viewer', ({ messages }) => ({ messages })),
      getMessage: this.#on('getMessage', ({ messageId }: { messageId: string }, call) => this.#message(messageId, call)),
      shareConversation: this.#of('shareConversation', 'owner', share),
      transferConversation: this.#of('transferConversation', 'owner', transfer),
      listParticipants: this.#of('listParticipants', 'viewer', ({ participants }) => ({ participants })),
      updateParticipant: this.#of('updateParticipant', 'owner', (kept, { userId, role }: Sharing) =>
        Object.assign(participantOf(kept, userId), { role }),
      ),
      removeParticipant: this.#of('removeParticipant', 'owner', (kept, { userId }: Omit<Sharing, 'role'>) => {
        kept.participants = kept.participants.filter((one) => one !== participantOf(kept, userId));
        return {};
      }),
    };
  }

  create({ title, upstreamAccountId, upstreamProjectId, model }: CreateConversationRequest, { caller }: Pick<Call, 'caller'>) {
    const conversation: Conversation = {
      id: uuidv7(),
      status: 'active',
      title,
      upstreamAccountId: upstreamAccountId || uuidv7(),
      upstreamProjectId,
      destinationType: upstreamProjectId === '' ? 'general' : 'project',
      model: model || 'auto',
      pinned: false,
      continuityStatus: 'available',
      messageCount: 0,
      createdAt: NOW,
      updatedAt: NOW,
      ownerUserId: caller.userId,
    };
    const participants = [{ userId: caller.userId, role: 'owner', addedAt: NOW }];
    const { workspaceId, keyId } = caller;
    this.kept.set(conversation.id, { conversation, workspaceId, ownerKeyId: keyId, participants, messages: [], isDeleted: false });
    return conversation;
  }

  sync({ conversationId }: SyncConversationRequest, call: Call): Conversation {
    return this.#open(conversationId, call, 'editor').conversation;
  }

  #on<Req, Res>(method: string, answer: (request: Req, call: Call) => Res) {
    return async (request: Req, call: Call): Promise<Res> => {
      this.calls.push({ method, request, call });
      if (this.failure) throw this.failure;
      return answer(request, call);
    };
  }

  #of<Req extends { conversationId: string }, Res>(method: string, role: Role, answer: (kept: Kept, request: Req) => Res) {
    return this.#on(method, (request: Req, call) => answer(this.#open(request.conversationId, call, role), request));
  }

  #open(id: string, { caller }: Call, needed: Role): Kept {
    const kept = this.kept.get(id);
    if (!kept || kept.isDeleted) throw new GatewayError('CONVERSATION_NOT_FOUND', 'no such conversation');
    if (mayAct(kept, caller, needed)) return kept;
    throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'the conversation is not yours');
  }

  #list(request: ListConversationsRequest, { caller }: Call) {
    const matching = [...this.kept.values()]
      .filter((kept) => !kept.isDeleted && roleOf(kept, caller) !== undefined)
      .map(({ conversation }) => conversation)
      .filter((one) => matches(one, request))
      .reverse();
    return { conversations: matching.slice(request.offset, request.offset + request.limit), total: matching.length, totalExceeded: false };
  }

  #message(id: string, call: Call): Message {
    for (const { conversation, messages } of this.kept.values()) {
      const found = messages.find((one) => one.id === id);
      if (!found) continue;
      this.#open(conversation.id, call, 'viewer');
      return { ...found, conversationId: conversation.id };
    }
    throw new GatewayError('MESSAGE_NOT_FOUND', 'no such message');
  }
}

interface Change {
  conversationId: string;
  title?: string | undefined;
  pinned?: boolean | undefined;
}
