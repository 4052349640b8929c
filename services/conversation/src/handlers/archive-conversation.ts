import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type ConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { toConversation } from './conversation-view.ts';

/** Archives a conversation; it can still be read and continued. Idempotent. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function archiveConversation(
  { store }: Deps,
  { conversationId }: ConversationRequest,
  { caller }: Call,
): Promise<Conversation> {
  const after = await changeConversation(store, { conversationId, caller, permission: 'write' }, async ({ conversation, change, emit }) => {
    if (conversation.status === 'archived') return;
    await change({ status: 'archived' });
    emit('archived');
  });
  return toConversation(after);
}
