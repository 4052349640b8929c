import { type Conversation, type Participant } from '@parley/protos/conversation/v1/resource';
import { type StoredConversation } from '../store/conversations.ts';
import { type StoredParticipant } from '../store/participants.ts';

/** Converts a stored conversation to the message of the gRPC contract. */
export function toConversation(row: StoredConversation): Conversation {
  const { id, status, title, upstreamAccountId, destinationType, model, pinned, continuityStatus, messageCount, createdAt, updatedAt } =
    row;
  return {
    ...{ id, status, title, upstreamAccountId, destinationType, model, pinned, continuityStatus, messageCount, createdAt, updatedAt },
    upstreamProjectId: row.upstreamProjectId ?? '',
    // The column also orders conversations without messages.
    lastMessageAt: messageCount > 0 ? row.lastMessageAt : undefined,
    ownerUserId: row.ownerUserId ?? '',
  };
}

/** Converts participants: the owner first, if it is a user, then in the order they were added. */
export function toParticipants({ ownerUserId, createdAt }: StoredConversation, others: readonly StoredParticipant[]): Participant[] {
  const owner = ownerUserId === null ? [] : [{ userId: ownerUserId, role: 'owner', addedAt: createdAt }];
  return [...owner, ...others];
}
