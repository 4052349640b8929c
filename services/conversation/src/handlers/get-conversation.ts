import { type Call } from '@parley/kit/rpc/call';
import { type ConversationDetail, type ConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { readParticipants } from '../store/participants.ts';
import { toConversation, toParticipants } from './conversation-view.ts';
import { requireReadableConversation } from './require-readable-conversation.ts';

/** Returns a conversation with its participants. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function getConversation(
  { store: { database } }: Deps,
  request: ConversationRequest,
  { caller }: Call,
): Promise<ConversationDetail> {
  const conversation = await requireReadableConversation(database, request.conversationId, caller);
  const others = await readParticipants(database, conversation.id);
  return { conversation: toConversation(conversation), participants: toParticipants(conversation, others) };
}
