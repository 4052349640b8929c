import { isUuid } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { requirePermission } from '../domain/permission.ts';
import { type ConversationWithRole, findConversation } from '../store/conversations.ts';
import { type Database } from '../store/database.ts';

/** Returns the conversation when the caller may read it. @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED. */
export async function requireReadableConversation(
  { generalPool }: Database,
  conversationId: string,
  caller: Caller,
): Promise<ConversationWithRole> {
  const userId = isUuid(caller.userId) ? caller.userId : null;
  const found = isUuid(conversationId) ? await findConversation(generalPool, conversationId, userId) : undefined;
  return requirePermission(found, caller, 'read', found?.participantRole ?? null);
}
