import { transaction } from '@parley/kit/db/pool';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { type ImportedMessage } from '@parley/protos/conversation/v1/resource';
import type { PoolClient } from 'pg';
import { requirePermission } from '../domain/permission.ts';
import { toConversationEvent } from '../domain/conversation-event.ts';
import { type ConversationInput } from '../domain/conversation-request.ts';
import { type StoredConversation, findConversation, insertConversation } from './conversations.ts';
import { insertEvents } from './outbox.ts';
import { insertDocuments } from './search-documents.ts';
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
  const written = await transaction(store.database.cold, async (client) => {
    const isNew = await insertConversation(client, { ...wanted, messageCount: messages.length });
    if (isNew) await writeMessages(client, wanted, messages);
    const found = requirePermission(await findConversation(client, id, null), caller, 'govern', null);
    if (isNew) await insertEvents(client, [toConversationEvent('created', found, found.createdAt, { keyId: caller.keyId })]);
    return found;
  });
  store.notifyRelay();
  return written;
}

async function writeMessages(client: PoolClient, { id, title }: ConversationInput, messages: readonly ImportedMessage[]): Promise<void> {
  const documents = messages.map(({ text }) => ({ id: uuidv7(), conversationId: id, text }));
  const values = [id, documents.map((document) => document.id), messages.map(({ role }) => role), messages.map(({ text }) => text)];
  if (messages.length > 0) await client.query(INSERT_MESSAGES, values);
  await insertDocuments(client, [{ id, conversationId: id, text: title }, ...documents.filter(({ text }) => text !== '')]);
}
