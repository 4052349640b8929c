import type { Conversation, Participant } from '@parley/protos/conversation/v1/resource';
import type { StoredConversation } from '../store/conversations.ts';
import type { StoredParticipant } from '../store/participants.ts';

/** A stored conversation as the contract has it. */
export function toConversation(row: StoredConversation): Conversation {
  const { id, status, title, upstreamAccountId, destinationType, model, pinned, continuityStatus, messageCount, createdAt, updatedAt } =
    row;
  return {
    ...{ id, status, title, upstreamAccountId, destinationType, model, pinned, continuityStatus, messageCount, createdAt, updatedAt },
    upstreamProjectId: row.upstreamProjectId ?? '',
    // The column also orders conversations that have no message yet.
    lastMessageAt: messageCount > 0 ? row.lastMessageAt : undefined,
    ownerUserId: row.ownerUserId ?? '',
  };
}

/** Everybody who takes part: the owner first, where it is a user, then in the order in which they were added. */
export function toParticipants({ ownerUserId, createdAt }: StoredConversation, others: readonly StoredParticipant[]): Participant[] {
  const owner = ownerUserId === null ? [] : [{ userId: ownerUserId, role: 'owner', addedAt: createdAt }];
  return [...owner, ...others];
}
