import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type UpdateConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { type ConversationChanges } from '../store/conversations.ts';
import { markForReindex } from '../store/search-index.ts';
import { toConversation } from './conversation-view.ts';

/** Changes title and pin of a conversation; absent fields stay unchanged. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function updateConversation({ store }: Deps, request: UpdateConversationRequest, { caller }: Call): Promise<Conversation> {
  const { conversationId, pinned } = request;
  const title = request.title === undefined ? undefined : toStorableText(request.title);
  const asked = { conversationId, caller, permission: 'write', changesSearchIndex: title !== undefined } as const;
  const after = await changeConversation(store, asked, async ({ client, conversation, change, emit }) => {
    const changes: ConversationChanges = {};
    if (title !== undefined && (title !== conversation.title || !conversation.titleIsGiven)) {
      Object.assign(changes, { title, titleIsGiven: true });
      await markForReindex(client, conversation);
    }
    if (pinned !== undefined && pinned !== conversation.pinned) changes.pinned = pinned;
    if (Object.keys(changes).length === 0) return;
    await change(changes);
    emit('updated');
  });
  return toConversation(after);
}
