import { isUuid } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { type Ownership, requireExistingConversation, isOwner, requirePermission } from '../domain/permission.ts';
import { type Database } from '../store/database.ts';
import { readParticipantRole } from '../store/participants.ts';

/**
 * Returns the conversation when the caller may continue it. On the hot path: reads the participants only for a caller who is not the owner.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED.
 */
export async function requireWritableConversation<T extends Ownership>(
  { turnPool }: Database,
  id: string,
  found: T | undefined,
  caller: Caller,
): Promise<T> {
  const conversation = requireExistingConversation(found);
  if (isOwner(conversation, caller)) return conversation;
  return requirePermission(
    conversation,
    caller,
    'write',
    isUuid(caller.userId) ? await readParticipantRole(turnPool, id, caller.userId) : null,
  );
}
