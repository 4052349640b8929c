import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import {
  type Conversation,
  type ConversationDetail,
  type CreateConversationRequest,
  type ImportedMessage,
  type ListConversationsRequest,
  type ListConversationsResponse,
  type MergeUpstreamRequest,
  type Message,
  type Participant,
  type UpdateConversationRequest,
  type UpstreamMessage,
} from '@parley/protos/conversation/v1/resource';

/** A message that was added at the upstream. */
export function upstreamMessage(upstreamId: string, over: Partial<UpstreamMessage> = {}): UpstreamMessage {
  return { upstreamId, role: 'user', text: upstreamId, model: '', createdAt: undefined, clientTurnId: '', ...over };
}

type NewConversation = Partial<CreateConversationRequest>;

/** The conversation resource as one caller sees it. */
export class ConversationClient {
  readonly #stub: Stub<typeof ConversationServiceService>;
  readonly caller: Caller;

  constructor({ stub }: { stub: Stub<typeof ConversationServiceService> }, caller: Caller) {
    this.#stub = stub;
    this.caller = caller;
  }

  get #init() {
    return { caller: this.caller, deadlineMs: 20_000 };
  }

  create(over: NewConversation = {}): Promise<Conversation> {
    return this.#stub.createConversation(newConversation(over), this.#init);
  }

  import(messages: ImportedMessage[], over: NewConversation = {}): Promise<Conversation> {
    return this.#stub.importConversation({ conversation: newConversation(over), messages }, this.#init);
  }

  get(conversationId: string): Promise<ConversationDetail> {
    return this.#stub.getConversation({ conversationId }, this.#init);
  }

  list(over: Partial<ListConversationsRequest> = {}): Promise<ListConversationsResponse> {
    const all = {
      statusFilter: '',
      search: '',
      pinnedOnly: false,
      destinationFilter: '',
      accountFilter: '',
      projectFilter: '',
      limit: 50,
      offset: 0,
    };
    return this.#stub.listConversations({ ...all, ...over }, this.#init);
  }

  /** Ids of the conversations that a search finds. */
  async search(search: string): Promise<string[]> {
    return (await this.list({ search })).conversations.map(({ id }) => id);
  }

  update(conversationId: string, over: Omit<UpdateConversationRequest, 'conversationId'>): Promise<Conversation> {
    return this.#stub.updateConversation({ conversationId, ...over }, this.#init);
  }

  delete(conversationId: string): Promise<unknown> {
    return this.#stub.deleteConversation({ conversationId }, this.#init);
  }

  archive(conversationId: string): Promise<Conversation> {
    return this.#stub.archiveConversation({ conversationId }, this.#init);
  }

  restore(conversationId: string): Promise<Conversation> {
    return this.#stub.restoreConversation({ conversationId }, this.#init);
  }

  async messages(conversationId: string): Promise<Message[]> {
    return (await this.#stub.listMessages({ conversationId }, this.#init)).messages;
  }

  /** Roles and texts of a conversation. */
  async said(conversationId: string): Promise<string[]> {
    return (await this.messages(conversationId)).map(({ role, content }) => `${role}: ${content}`);
  }

  message(messageId: string): Promise<Message> {
    return this.#stub.getMessage({ messageId }, this.#init);
  }

  merge(conversationId: string, messages: UpstreamMessage[], over: Partial<MergeUpstreamRequest> = {}): Promise<Conversation> {
    const request = { conversationId, continuityStatus: 'available', upstreamState: '', messages, onlyAdded: false, ...over };
    return this.#stub.mergeUpstream(request, this.#init);
  }

  share(conversationId: string, userId: string, role: string): Promise<Participant> {
    return this.#stub.shareConversation({ conversationId, userId, role }, this.#init);
  }

  transfer(conversationId: string, userId: string): Promise<Conversation> {
    return this.#stub.transferConversation({ conversationId, userId }, this.#init);
  }

  async participants(conversationId: string): Promise<Participant[]> {
    return (await this.#stub.listParticipants({ conversationId }, this.#init)).participants;
  }

  updateParticipant(conversationId: string, userId: string, role: string): Promise<Participant> {
    return this.#stub.updateParticipant({ conversationId, userId, role }, this.#init);
  }

  removeParticipant(conversationId: string, userId: string): Promise<unknown> {
    return this.#stub.removeParticipant({ conversationId, userId }, this.#init);
  }

  setContinuity(conversationId: string, status: string): Promise<unknown> {
    return this.#stub.setContinuity({ conversationId, status }, this.#init);
  }
}

function newConversation(over: NewConversation): CreateConversationRequest {
  const where = { upstreamAccountId: 'account-1', upstreamProjectId: '', model: 'auto', accountNamed: false };
  return { conversationId: uuidv7(), title: '', ...where, ...over };
}
