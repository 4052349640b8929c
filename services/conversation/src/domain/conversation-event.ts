import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type OutboxEvent } from './outbox-event.ts';

/** Types of conversation events, apart from those of turns. */
export type ConversationEventType =
  | 'created'
  | 'updated'
  | 'archived'
  | 'restored'
  | 'deleted'
  | 'shared'
  | 'transferred'
  | 'continuityChanged';

const SUBJECTS: Record<ConversationEventType, string> = {
  created: EVENT_SUBJECTS.conversationCreated,
  updated: EVENT_SUBJECTS.conversationUpdated,
  archived: EVENT_SUBJECTS.conversationArchived,
  restored: EVENT_SUBJECTS.conversationRestored,
  deleted: EVENT_SUBJECTS.conversationDeleted,
  shared: EVENT_SUBJECTS.conversationShared,
  transferred: EVENT_SUBJECTS.conversationTransferred,
  continuityChanged: EVENT_SUBJECTS.conversationContinuityChanged,
};

/** The conversation after the change. */
export interface ChangedConversation {
  id: string;
  workspaceId: string;
  ownerUserId: string | null;
  status: string;
  continuityStatus: string;
}

/** Who made the change, and which participant it affects. */
export interface ConversationEventDetails {
  /** Empty for the gateway itself. */
  keyId?: string;
  /** The user it was shared with, removed from, or transferred to. */
  userId?: string;
  /** The new role of that user; empty when the user was removed. */
  role?: string;
}

/** Builds the outbox event of a change: bus subject and encoded EventBatch. `at` is the database's time. */
export function toConversationEvent(
  type: ConversationEventType,
  conversation: ChangedConversation,
  at: Date,
  details: ConversationEventDetails = {},
): OutboxEvent {
  const id = uuidv7();
  const { keyId = '', userId = '', role = '' } = details;
  const { id: conversationId, workspaceId, ownerUserId, status, continuityStatus } = conversation;
  const value = {
    conversationId,
    workspaceId,
    ownerUserId: ownerUserId ?? '',
    status,
    continuityStatus,
    keyId,
    userId,
    role,
    at,
  };
  const events = [{ id, payload: { $case: 'conversationChanged' as const, value } }];
  return { id, subject: SUBJECTS[type], payload: EventBatch.encode({ events }).finish() };
}
