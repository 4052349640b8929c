import { transaction } from '@parley/kit/db/pool';
import { isUuid } from '@parley/kit/ids/uuid';
import type { Caller } from '@parley/protos/common/v1/caller';
import type { PoolClient } from 'pg';
import { type Deed, existing, isOwnWork, permitted } from '../domain/access.ts';
import { type Doing, type Happening, conversationChanged } from '../domain/conversation-event.ts';
import { type ConversationChanges, type FoundConversation, type StoredConversation } from './conversations.ts';
import { findConversation, lockConversation, updateConversation } from './conversations.ts';
import { tellOf } from './outbox.ts';
import { holdIndex } from './search-documents.ts';
import type { Store } from './store.ts';

/** What wants to change, and by whom. */
export interface ChangeRequest {
  conversationId: string;
  caller: Caller;
  deed: Deed;
  /** What a search finds changes as well. */
  reindexes?: boolean;
  /** A service that acts for itself may do it too. */
  ownWork?: boolean;
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
  tell: (happening: Happening, whom?: Omit<Doing, 'keyId'>) => void;
}

/**
 * Changes a conversation in one transaction with the events that tell of it, and gives it as it is then.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, and what `work` throws; nothing has changed then.
 */
export async function changeConversation(
  store: Store,
  { conversationId, caller, deed, reindexes = false, ownWork = false }: ChangeRequest,
  work: (open: OpenChange) => Promise<void>,
): Promise<StoredConversation> {
  const id = isUuid(conversationId) ? conversationId.toLowerCase() : existing<StoredConversation>(undefined).id;
  const userId = isUuid(caller.userId) ? caller.userId : null;
  const told: [Happening, Doing][] = [];
  const after = await transaction(store.database.cold, async (client) => {
    if (reindexes) await holdIndex(client, 'alone');
    const found = await lockConversation(client, id, userId);
    const conversation = ownWork && isOwnWork(caller) ? existing(found) : permitted(found, caller, deed, found?.participates ?? null);
    const at = await now(client);
    const change = (changes: ConversationChanges) => updateConversation(client, id, changes);
    await work({ client, conversation, at, change, tell: (happening, whom) => told.push([happening, { ...whom, keyId: caller.keyId }]) });
    const changed = (await findConversation(client, id, userId)) ?? conversation;
    await tellOf(
      client,
      told.map(([happening, doing]) => conversationChanged(happening, changed, at, doing)),
    );
    return changed;
  });
  if (told.length > 0) store.kick();
  return after;
}

async function now(client: PoolClient): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now ?? new Date();
}
