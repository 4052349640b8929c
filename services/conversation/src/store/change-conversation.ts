import { transaction } from '@parley/kit/db/pool';
import { isUuid } from '@parley/kit/ids/uuid';
import type { Caller } from '@parley/protos/common/v1/caller';
import type { PoolClient } from 'pg';
import { type Permission, requireExisting, isServiceCaller, requirePermission } from '../domain/permission.ts';
import { type ConversationEventDetails, type ConversationEventType, toConversationEvent } from '../domain/conversation-event.ts';
import { type ConversationChanges, type FoundConversation, type StoredConversation } from './conversations.ts';
import { findConversation, lockConversation, updateConversation } from './conversations.ts';
import { insertEvents } from './outbox.ts';
import { lockIndex } from './search-documents.ts';
import type { Store } from './store.ts';

/** What wants to change, and by whom. */
export interface ChangeRequest {
  conversationId: string;
  caller: Caller;
  permission: Permission;
  /** What a search finds changes as well. */
  reindexes?: boolean;
  /** A service that acts for itself may do it too. */
  allowService?: boolean;
}

/** A conversation that nobody else changes meanwhile. */
export interface OpenChange {
  client: PoolClient;
  /** As it is before the change. */
  conversation: FoundConversation;
  /** The database's time. */
  at: Date;
  change: (changes: ConversationChanges) => Promise<void>;
  /** Tells of it, in the same transaction, with the conversation as it is in the end. */
  emit: (type: ConversationEventType, whom?: Omit<ConversationEventDetails, 'keyId'>) => void;
}

/**
 * Changes a conversation in one transaction with the events that tell of it, and gives it as it is then.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, and what `work` throws; nothing has changed then.
 */
export async function changeConversation(
  store: Store,
  { conversationId, caller, permission, reindexes = false, allowService = false }: ChangeRequest,
  work: (open: OpenChange) => Promise<void>,
): Promise<StoredConversation> {
  const id = isUuid(conversationId) ? conversationId.toLowerCase() : requireExisting<StoredConversation>(undefined).id;
  const userId = isUuid(caller.userId) ? caller.userId : null;
  const emitted: [ConversationEventType, ConversationEventDetails][] = [];
  const after = await transaction(store.database.cold, async (client) => {
    if (reindexes) await lockIndex(client, 'exclusive');
    const found = await lockConversation(client, id, userId);
    const conversation =
      allowService && isServiceCaller(caller)
        ? requireExisting(found)
        : requirePermission(found, caller, permission, found?.participantRole ?? null);
    const at = await now(client);
    const change = (changes: ConversationChanges) => updateConversation(client, id, changes);
    await work({ client, conversation, at, change, emit: (type, whom) => emitted.push([type, { ...whom, keyId: caller.keyId }]) });
    const changed = (await findConversation(client, id, userId)) ?? conversation;
    await insertEvents(
      client,
      emitted.map(([type, details]) => toConversationEvent(type, changed, at, details)),
    );
    return changed;
  });
  if (emitted.length > 0) store.notifyRelay();
  return after;
}

async function now(client: PoolClient): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now ?? new Date();
}
