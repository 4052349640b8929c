import { transaction } from '@parley/kit/db/pool';
import { isUuid } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import type { PoolClient } from 'pg';
import { type ConversationEventDetails, type ConversationEventType, toConversationEvent } from '../domain/conversation-event.ts';
import { type Permission, requireExistingConversation, isServiceCaller, requirePermission } from '../domain/permission.ts';
import {
  type ConversationChanges,
  type ConversationWithRole,
  type StoredConversation,
  findConversation,
  lockConversation,
  updateConversation,
} from './conversations.ts';
import { insertEvents } from './outbox.ts';
import { lockSearchIndex } from './search-index.ts';
import { type Store } from './store.ts';

/** The conversation to change, the caller, and the permission that it requires. */
export interface ChangeRequest {
  conversationId: string;
  caller: Caller;
  permission: Permission;
  /** The change removes texts from the search index. */
  changesSearchIndex?: boolean;
  /** A service may also make the change on its own behalf. */
  allowService?: boolean;
}

/** The transaction that changes a conversation, which it has locked. */
export interface ConversationTransaction {
  client: PoolClient;
  /** State before the change. */
  conversation: ConversationWithRole;
  /** The database's time. */
  at: Date;
  change: (changes: ConversationChanges) => Promise<void>;
  /** Writes an event with the final state of the conversation, in the same transaction. */
  emit: (type: ConversationEventType, whom?: Omit<ConversationEventDetails, 'keyId'>) => void;
}

/**
 * Changes a conversation and writes its events in one transaction; returns the final state.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, and errors of `work`; the transaction is then rolled back.
 */
export async function changeConversation(
  store: Store,
  { conversationId, caller, permission, changesSearchIndex = false, allowService = false }: ChangeRequest,
  work: (open: ConversationTransaction) => Promise<void>,
): Promise<StoredConversation> {
  const id = isUuid(conversationId) ? conversationId.toLowerCase() : requireExistingConversation<StoredConversation>(undefined).id;
  const userId = isUuid(caller.userId) ? caller.userId : null;
  const emitted: [ConversationEventType, ConversationEventDetails][] = [];
  const after = await transaction(store.database.generalPool, async (client) => {
    if (changesSearchIndex) await lockSearchIndex(client, caller.workspaceId, 'shared');
    const found = await lockConversation(client, id, userId);
    const conversation =
      allowService && isServiceCaller(caller)
        ? requireExistingConversation(found)
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
  if (emitted.length > 0) store.wakeOutboxRelay();
  return after;
}

async function now(client: PoolClient): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now ?? new Date();
}
