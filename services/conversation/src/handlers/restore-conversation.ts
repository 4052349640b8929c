import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type ConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { toConversation } from './conversation-view.ts';

/** Makes an archived conversation active again. Idempotent. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function restoreConversation(
  { store }: Deps,
  { conversationId }: ConversationRequest,
  { caller }: Call,
): Promise<Conversation> {
  const after = await changeConversation(store, { conversationId, caller, permission: 'write' }, async ({ conversation, change, emit }) => {
    if (conversation.status === 'active') return;
    await change({ status: 'active' });
    emit('restored');
  });
  return toConversation(after);
}
