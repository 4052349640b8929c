import { type Call } from '@parley/kit/rpc/call';
import { type ConversationRequest, type ListParticipantsResponse } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { readParticipants } from '../store/participants.ts';
import { toParticipants } from './conversation-view.ts';
import { requireReadableConversation } from './require-readable-conversation.ts';

/** Lists the participants of a conversation; every participant may do so. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function listParticipants(
  { store: { database } }: Deps,
  request: ConversationRequest,
  { caller }: Call,
): Promise<ListParticipantsResponse> {
  const conversation = await requireReadableConversation(database, request.conversationId, caller);
  return { participants: toParticipants(conversation, await readParticipants(database, conversation.id)) };
}
