import type { Call } from '@parley/kit/rpc/call';
import type { Conversation, UpdateConversationRequest } from '@parley/protos/conversation/v1/resource';
import { storable } from '../domain/text.ts';
import { changeConversation } from '../store/change-conversation.ts';
import type { ConversationChanges } from '../store/conversations.ts';
import { putDocuments } from '../store/search-documents.ts';
import type { Store } from '../store/store.ts';
import { toConversation } from './conversation-view.ts';

/** Renames and pins a conversation; what is absent stays (spec §4.3). @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function updateConversation(store: Store, request: UpdateConversationRequest, { caller }: Call): Promise<Conversation> {
  const { conversationId, pinned } = request;
  const title = request.title === undefined ? undefined : storable(request.title);
  const asked = { conversationId, caller, deed: 'write', reindexes: title !== undefined } as const;
  const after = await changeConversation(store, asked, async ({ client, conversation, change, tell }) => {
    const changes: ConversationChanges = {};
    if (title !== undefined && (title !== conversation.title || !conversation.titleIsGiven)) {
      Object.assign(changes, { title, titleIsGiven: true });
      await putDocuments(client, [{ id: conversation.id, conversationId: conversation.id, text: title }]);
    }
    if (pinned !== undefined && pinned !== conversation.pinned) changes.pinned = pinned;
    if (Object.keys(changes).length === 0) return;
    await change(changes);
    tell('updated');
  });
  return toConversation(after);
}
