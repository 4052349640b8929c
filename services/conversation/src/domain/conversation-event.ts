import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENTS } from '@parley/protos/subjects';
import type { OutboxEvent } from './outbox-event.ts';

/** What can happen to a conversation besides its turns. */
export type Happening = 'created' | 'updated' | 'archived' | 'restored' | 'deleted' | 'shared' | 'transferred' | 'continuityChanged';

const SUBJECTS: Record<Happening, string> = {
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
export interface Doing {
  /** Empty for the gateway itself. */
  keyId?: string;
  /** Whom it was shared with, taken from, or transferred to. */
  userId?: string;
  /** What they may do from now on; empty when it was taken from them. */
  role?: string;
}

/** The event that tells of a change. `at` is the database's time. */
export function conversationChanged(happening: Happening, of: ChangedConversation, at: Date, doing: Doing = {}): OutboxEvent {
  const id = uuidv7();
  const { keyId = '', userId = '', role = '' } = doing;
  const value = {
    ...{ conversationId: of.id, workspaceId: of.workspaceId, ownerUserId: of.ownerUserId ?? '' },
    ...{ status: of.status, continuityStatus: of.continuityStatus, keyId, userId, role, at },
  };
  const events = [{ id, payload: { $case: 'conversationChanged' as const, value } }];
  return { id, subject: SUBJECTS[happening], payload: EventBatch.encode({ events }).finish() };
}
