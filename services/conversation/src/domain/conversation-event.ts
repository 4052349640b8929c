import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENTS } from '@parley/protos/subjects';
import type { OutboxEvent } from './outbox-event.ts';

/** What can happen to a conversation besides its turns. */
export type ConversationEventType =
  'created' | 'updated' | 'archived' | 'restored' | 'deleted' | 'shared' | 'transferred' | 'continuityChanged';

const SUBJECTS: Record<ConversationEventType, string> = {
  created: EVENTS.conversationCreated,
  updated: EVENTS.conversationUpdated,
  archived: EVENTS.conversationArchived,
  restored: EVENTS.conversationRestored,
  deleted: EVENTS.conversationDeleted,
  shared: EVENTS.conversationShared,
  transferred: EVENTS.conversationTransferred,
  continuityChanged: EVENTS.conversationContinuityChanged,
};

/** The conversation as it is after what happened. */
export interface ChangedConversation {
  id: string;
  workspaceId: string;
  ownerUserId: string | null;
  status: string;
  continuityStatus: string;
}

/** Who did it, and to whom. */
export interface ConversationEventDetails {
  /** Empty for the gateway itself. */
  keyId?: string;
  /** Whom it was shared with, taken from, or transferred to. */
  userId?: string;
  /** What they may do from now on; empty when it was taken from them. */
  role?: string;
}

/** The event that tells of a change. `at` is the database's time. */
export function toConversationEvent(
  type: ConversationEventType,
  conversation: ChangedConversation,
  at: Date,
  details: ConversationEventDetails = {},
): OutboxEvent {
  const id = uuidv7();
  const { keyId = '', userId = '', role = '' } = details;
  const value = {
    ...{ conversationId: conversation.id, workspaceId: conversation.workspaceId, ownerUserId: conversation.ownerUserId ?? '' },
    ...{ status: conversation.status, continuityStatus: conversation.continuityStatus, keyId, userId, role, at },
  };
  const events = [{ id, payload: { $case: 'conversationChanged' as const, value } }];
  return { id, subject: SUBJECTS[type], payload: EventBatch.encode({ events }).finish() };
}
