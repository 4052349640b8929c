import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type UpdateConversationRequest } from '@parley/protos/conversation/v1/resource';
import { toStorable } from '../domain/text.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { type ConversationChanges } from '../store/conversations.ts';
import { upsertDocuments } from '../store/search-documents.ts';
import { type Store } from '../store/store.ts';
import { toConversation } from './to-conversation.ts';

/** Renames and pins a conversation; absent fields stay. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function updateConversation(store: Store, request: UpdateConversationRequest, { caller }: Call): Promise<Conversation> {
  const { conversationId, pinned } = request;
  const title = request.title === undefined ? undefined : toStorable(request.title);
  const asked = { conversationId, caller, permission: 'write', reindexes: title !== undefined } as const;
  const after = await changeConversation(store, asked, async ({ client, conversation, change, emit }) => {
    const changes: ConversationChanges = {};
    if (title !== undefined && (title !== conversation.title || !conversation.titleIsGiven)) {
      Object.assign(changes, { title, titleIsGiven: true });
      await upsertDocuments(client, [{ id: conversation.id, conversationId: conversation.id, text: title }]);
    }
    if (pinned !== undefined && pinned !== conversation.pinned) changes.pinned = pinned;
    if (Object.keys(changes).length === 0) return;
    await change(changes);
    emit('updated');
  });
  return toConversation(after);
}
