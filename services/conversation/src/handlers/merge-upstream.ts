import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type MergeUpstreamRequest } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { mergeContinuity, isContinuityStatus } from '../domain/continuity.ts';
import { toUpstreamMessages } from '../domain/conversation-request.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { deriveTitle } from '../domain/title.ts';
import { type ConversationTransaction, changeConversation } from '../store/change-conversation.ts';
import { type ConversationChanges } from '../store/conversations.ts';
import { type MergeResult, hasLaterTurn, mergeMessages } from '../store/merge-upstream.ts';
import { markForReindex } from '../store/search-index.ts';
import { toConversation } from './conversation-view.ts';

const ANY_SEQUENCE = 0xffff_ffff;

/**
 * Merges the state of a conversation at its upstream: its messages when it is available, else only its continuity status
 * (`POST /v1/conversations/{id}/sync`). Idempotent.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR.
 */
export async function mergeUpstream({ store }: Deps, request: MergeUpstreamRequest, { caller }: Call): Promise<Conversation> {
  const { conversationId, continuityStatus: reported, lastSequence = ANY_SEQUENCE, onlyAdded } = request;
  if (!isContinuityStatus(reported)) {
    throw new GatewayError('VALIDATION_ERROR', 'continuity_status is not one', { param: 'continuity_status' });
  }
  const messages = toUpstreamMessages(request.messages);
  const after = await changeConversation(store, { conversationId, caller, permission: 'write', changesSearchIndex: true }, async (open) => {
    const { client, conversation, change, emit } = open;
    const changes: ConversationChanges = {};
    const continuityStatus = mergeContinuity(conversation.continuityStatus, reported);
    if (continuityStatus !== conversation.continuityStatus) changes.continuityStatus = continuityStatus;
    const upstreamState = toStorableText(request.upstreamState);
    // The state of a later turn is newer than the one reported before it.
    if (
      upstreamState !== '' &&
      upstreamState !== conversation.upstreamState &&
      !(await hasLaterTurn(client, conversation.id, lastSequence))
    ) {
      changes.upstreamState = upstreamState;
    }
    const merged =
      reported === 'available' ? await mergeMessages(client, conversation.id, messages, { lastSequence, onlyAdded }) : undefined;
    if (merged?.isChanged) {
      Object.assign(changes, toChanges(open, merged));
      await markForReindex(client, conversation);
    }
    if (Object.keys(changes).length > 0) await change(changes);
    if (merged?.isChanged) emit('updated');
    if (changes.continuityStatus) emit('continuityChanged');
  });
  return toConversation(after);
}

/** The changes of the conversation that follow from its merged messages. */
function toChanges({ conversation, at }: ConversationTransaction, merged: MergeResult): ConversationChanges {
  const changes: ConversationChanges = { messageCount: merged.messageCount };
  const newestAt = Math.min(merged.newestAt?.getTime() ?? 0, at.getTime());
  if (newestAt > conversation.lastMessageAt.getTime()) changes.lastMessageAt = new Date(newestAt);
  const title = conversation.title === '' && !conversation.titleIsGiven ? deriveTitle(merged.firstUserMessage) : '';
  if (title !== '') changes.title = title;
  return changes;
}
