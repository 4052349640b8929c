import { type Call } from '@parley/kit/rpc/call';
import { type ConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { removeFromIndex } from '../store/search-index.ts';

/** Soft-deletes a conversation: reads answer CONVERSATION_NOT_FOUND. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function deleteConversation(
  { store }: Deps,
  { conversationId }: ConversationRequest,
  { caller }: Call,
): Promise<Record<string, never>> {
  await changeConversation(
    store,
    { conversationId, caller, permission: 'govern', changesSearchIndex: true },
    async ({ client, conversation, at, change, emit }) => {
      await change({ deletedAt: at });
      await removeFromIndex(client, [conversation.id]);
      emit('deleted');
    },
  );
  return {};
}
