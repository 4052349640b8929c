import { transaction } from '@parley/kit/db/pool';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { type ImportedMessage } from '@parley/protos/conversation/v1/resource';
import type { PoolClient } from 'pg';
import { toConversationEvent } from '../domain/conversation-event.ts';
import { type ConversationInput } from '../domain/conversation-request.ts';
import { requirePermission } from '../domain/permission.ts';
import { type StoredConversation, findConversation, insertConversation } from './conversations.ts';
import { insertEvents } from './outbox.ts';
import { lockSearchIndex } from './search-index.ts';
import { type Store } from './store.ts';

/** Imported messages precede all turns and belong to none. */
const INSERT_MESSAGES = `
INSERT INTO messages (id, conversation_id, turn_id, sequence, position, role, content)
SELECT g.id, $1, NULL, 0, g.position - 1, g.role, g.content
FROM unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS g (id, role, content, position)`;

/**
 * Creates a conversation with these messages and writes its event. Idempotent by id: returns the existing conversation.
 * @throws CONVERSATION_ACCESS_DENIED, CONVERSATION_NOT_FOUND when the id belongs to another caller.
 */
export async function writeConversation(
  store: Store,
  wanted: ConversationInput,
  messages: readonly ImportedMessage[],
  caller: Caller,
): Promise<StoredConversation> {
  const { id } = wanted;
  const written = await transaction(store.database.generalPool, async (client) => {
    // The index must not pass the conversation before it is committed.
    await lockSearchIndex(client, wanted.workspaceId, 'shared');
    const isNew = await insertConversation(client, { ...wanted, messageCount: messages.length });
    if (isNew && messages.length > 0) await writeMessages(client, id, messages);
    const found = requirePermission(await findConversation(client, id, null), caller, 'govern', null);
    if (isNew) await insertEvents(client, [toConversationEvent('created', found, found.createdAt, { keyId: caller.keyId })]);
    return found;
  });
  store.wakeOutboxRelay();
  return written;
}

async function writeMessages(client: PoolClient, id: string, messages: readonly ImportedMessage[]): Promise<void> {
  const values = [id, messages.map(() => uuidv7()), messages.map(({ role }) => role), messages.map(({ text }) => text)];
  await client.query(INSERT_MESSAGES, values);
}
