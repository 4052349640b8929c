import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import type { Caller } from '@parley/protos/common/v1/caller';
import type { CreateConversationRequest, ImportedMessage } from '@parley/protos/conversation/v1/resource';
import { storable } from './text.ts';
import { requireKey, uuid } from './turn-request.ts';

const ROLES = ['system', 'user', 'assistant'];

/** A conversation that somebody wants, checked so far that no database error can come of it alone. */
export interface WantedConversation {
  id: string;
  workspaceId: string;
  ownerKeyId: string;
  ownerUserId: string | null;
  title: string;
  /** False when none was given: one is made of the first message. */
  titleIsGiven: boolean;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  model: string;
  accountNamed: boolean;
}

/** What a caller wants. @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key. */
export function wantedConversation(request: CreateConversationRequest, caller: Caller): WantedConversation {
  const { workspaceId, keyId } = requireKey(caller);
  const title = storable(request.title);
  return {
    ...{ workspaceId, title, titleIsGiven: title !== '' },
    id: uuid('conversation_id', request.conversationId),
    ownerKeyId: keyId,
    ownerUserId: isUuid(caller.userId) ? caller.userId : null,
    upstreamAccountId: storable(request.upstreamAccountId),
    upstreamProjectId: storable(request.upstreamProjectId) || null,
    model: storable(request.model),
    accountNamed: request.accountNamed,
  };
}

/** Messages as they can be stored. @throws VALIDATION_ERROR for an unknown role. */
export function importedMessages(messages: readonly ImportedMessage[]): ImportedMessage[] {
  return messages.map(({ role, text }) => {
    if (!ROLES.includes(role)) throw new GatewayError('VALIDATION_ERROR', 'messages have an unknown role', { param: 'messages' });
    return { role, text: storable(text) };
  });
}
