import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type TransferConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { requireUuid } from '../domain/turn-request.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { putParticipant, removeParticipant } from '../store/participants.ts';
import { markForReindex } from '../store/search-index.ts';
import { toConversation } from './conversation-view.ts';

/**
 * Transfers a conversation to a user, who then owns it with any key. A former owner who is a user becomes an editor.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function transferConversation({ store }: Deps, request: TransferConversationRequest, { caller }: Call): Promise<Conversation> {
  const { conversationId } = request;
  const after = await changeConversation(
    store,
    { conversationId, caller, permission: 'govern', changesSearchIndex: true },
    async ({ client, conversation, change, emit }) => {
      const userId = requireUuid('user_id', request.userId);
      const { ownerKeyId, ownerUserId: former } = conversation;
      if (ownerKeyId === null && former === userId) return;
      await removeParticipant(client, conversation.id, userId);
      if (former !== null && former !== userId) await putParticipant(client, conversation, former, 'editor');
      const owner = { ownerKeyId: null, ownerUserId: userId };
      await change(owner);
      await markForReindex(client, { ...conversation, ...owner });
      emit('transferred', { userId, role: 'owner' });
    },
  );
  return toConversation(after);
}
