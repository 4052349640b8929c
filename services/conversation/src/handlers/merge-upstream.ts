import type { Call } from '@parley/kit/rpc/call';
import type { Conversation, MergeUpstreamRequest } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { afterSaid, isContinuityStatus } from '../domain/continuity.ts';
import { storable } from '../domain/text.ts';
import { titleFrom } from '../domain/title.ts';
import { upstreamMessages } from '../domain/upstream-message.ts';
import { type OpenChange, changeConversation } from '../store/change-conversation.ts';
import type { ConversationChanges } from '../store/conversations.ts';
import { type Merged, hasLaterTurn, mergeMessages } from '../store/merge-upstream.ts';
import { putDocuments } from '../store/search-documents.ts';
import type { Store } from '../store/store.ts';
import { toConversation } from './conversation-view.ts';

const ANY_SEQUENCE = 0xffff_ffff;

/**
 * Takes over what the upstream says of a conversation: its messages where it is available, else only how it stands (spec §4.3 sync).
 * Doing it again changes nothing.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function mergeUpstream(store: Store, request: MergeUpstreamRequest, { caller }: Call): Promise<Conversation> {
  const { conversationId, continuityStatus: said, lastSequence = ANY_SEQUENCE, onlyAdded } = request;
  if (!isContinuityStatus(said)) {
    throw new GatewayError('VALIDATION_ERROR', 'continuity_status is not one', { param: 'continuity_status' });
  }
  const messages = upstreamMessages(request.messages);
  const after = await changeConversation(store, { conversationId, caller, deed: 'write', reindexes: true }, async (open) => {
    const { client, conversation, change, tell } = open;
    const changes: ConversationChanges = {};
    const continuityStatus = afterSaid(conversation.continuityStatus, said);
    if (continuityStatus !== conversation.continuityStatus) changes.continuityStatus = continuityStatus;
    const upstreamState = storable(request.upstreamState);
    // What a later turn left is newer than what the upstream said before it.
    if (
      upstreamState !== '' &&
      upstreamState !== conversation.upstreamState &&
      !(await hasLaterTurn(client, conversation.id, lastSequence))
    ) {
      changes.upstreamState = upstreamState;
    }
    const merged = said === 'available' ? await mergeMessages(client, conversation.id, messages, { lastSequence, onlyAdded }) : undefined;
    if (merged?.isChanged) Object.assign(changes, await consequences(open, merged));
    if (Object.keys(changes).length > 0) await change(changes);
    if (merged?.isChanged) tell('updated');
    if (changes.continuityStatus) tell('continuityChanged');
  });
  return toConversation(after);
}

/** What merged messages change of their conversation. */
async function consequences({ client, conversation, at }: OpenChange, merged: Merged): Promise<ConversationChanges> {
  const { id } = conversation;
  const changes: ConversationChanges = { messageCount: merged.messageCount };
  const newestAt = Math.min(merged.newestAt?.getTime() ?? 0, at.getTime());
  if (newestAt > conversation.lastMessageAt.getTime()) changes.lastMessageAt = new Date(newestAt);
  const title = conversation.title === '' && !conversation.titleIsGiven ? titleFrom(merged.opening) : '';
  if (title !== '') {
    changes.title = title;
    await putDocuments(client, [{ id, conversationId: id, text: title }]);
  }
  return changes;
}
