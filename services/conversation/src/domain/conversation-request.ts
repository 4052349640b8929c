import { isUuid } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import {
  type CreateConversationRequest,
  type ImportedMessage,
  type UpstreamMessage as ReportedMessage,
} from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type UpstreamMessage } from './message-matcher.ts';
import { toStorableText } from './storable-text.ts';
import { requireCallerKey, requireUuid } from './turn-request.ts';

const ROLES = ['system', 'user', 'assistant'];

/** A conversation to create, validated so that the database accepts it. */
export interface ConversationInput {
  id: string;
  workspaceId: string;
  ownerKeyId: string;
  ownerUserId: string | null;
  title: string;
  /** False without a title: the service derives one from the first message. */
  titleIsGiven: boolean;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  model: string;
  accountNamed: boolean;
}

/**
 * Validates a request to create a conversation.
 *
 * @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export function toConversationInput(request: CreateConversationRequest, caller: Caller): ConversationInput {
  const { workspaceId, keyId } = requireCallerKey(caller);
  const title = toStorableText(request.title);
  return {
    ...{ workspaceId, title, titleIsGiven: title !== '' },
    id: requireUuid('conversation_id', request.conversationId),
    ownerKeyId: keyId,
    ownerUserId: isUuid(caller.userId) ? caller.userId : null,
    upstreamAccountId: toStorableText(request.upstreamAccountId),
    upstreamProjectId: toStorableText(request.upstreamProjectId) || null,
    model: toStorableText(request.model),
    accountNamed: request.accountNamed,
  };
}

/** Converts imported messages to storable ones. @throws VALIDATION_ERROR for an unknown role. */
export function toImportedMessages(messages: readonly ImportedMessage[]): ImportedMessage[] {
  return messages.map(({ role, text }) => {
    if (!ROLES.includes(role)) throw new GatewayError('VALIDATION_ERROR', 'messages have an unknown role', { param: 'messages' });
    return { role, text: toStorableText(text) };
  });
}

/** Converts the messages of an upstream to storable ones. @throws VALIDATION_ERROR for a message without an id or with an unknown role. */
export function toUpstreamMessages(messages: readonly ReportedMessage[]): UpstreamMessage[] {
  return messages.map(({ role, text, model, createdAt, ...ids }) => {
    const upstreamId = toStorableText(ids.upstreamId);
    if (upstreamId === '' || !ROLES.includes(role)) {
      throw new GatewayError('VALIDATION_ERROR', 'messages need an id and a role', { param: 'messages' });
    }
    const isDated = createdAt !== undefined && !Number.isNaN(createdAt.getTime());
    const clientTurnId = ids.clientTurnId.toLowerCase();
    return {
      upstreamId,
      role,
      text: toStorableText(text),
      model: toStorableText(model),
      clientTurnId,
      createdAt: isDated ? createdAt : undefined,
    };
  });
}
