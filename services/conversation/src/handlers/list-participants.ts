import { type Call } from '@parley/kit/rpc/call';
import { type ConversationRequest, type ListParticipantsResponse } from '@parley/protos/conversation/v1/resource';
import { readParticipants } from '../store/participants.ts';
import { type Store } from '../store/store.ts';
import { toParticipants } from './to-conversation.ts';
import { requireReadable } from './require-readable.ts';

/** Lists the participants of a conversation, for each of them. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function listParticipants(
  { database }: Store,
  request: ConversationRequest,
  { caller }: Call,
): Promise<ListParticipantsResponse> {
  const conversation = await requireReadable(database, request.conversationId, caller);
  return { participants: toParticipants(conversation, await readParticipants(database, conversation.id)) };
}
