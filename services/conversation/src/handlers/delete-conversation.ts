import { type Call } from '@parley/kit/rpc/call';
import { type ConversationRequest } from '@parley/protos/conversation/v1/resource';
import { changeConversation } from '../store/change-conversation.ts';
import { deleteConversationDocuments } from '../store/search-documents.ts';
import { type Store } from '../store/store.ts';

/** Soft-deletes a conversation: reads answer CONVERSATION_NOT_FOUND. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function deleteConversation(
  store: Store,
  { conversationId }: ConversationRequest,
  { caller }: Call,
): Promise<Record<string, never>> {
  await changeConversation(
    store,
    { conversationId, caller, permission: 'govern', reindexes: true },
    async ({ client, conversation, at, change, emit }) => {
      await change({ deletedAt: at });
      await deleteConversationDocuments(client, conversation.id);
      emit('deleted');
    },
  );
  return {};
}
