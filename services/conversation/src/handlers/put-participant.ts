import type { Call } from '@parley/kit/rpc/call';
import type { Participant } from '@parley/protos/conversation/v1/resource';
import { givenRole, notAParticipant, notTheOwner } from '../domain/participant-request.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { type StoredParticipant, findParticipant, putParticipant as write } from '../store/participants.ts';
import type { Store } from '../store/store.ts';

/** Whom to give which role. */
interface Wish {
  conversationId: string;
  userId: string;
  role: string;
}

/**
 * Gives somebody a role; only a change is told of.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR; PARTICIPANT_NOT_FOUND unless newcomers are welcome.
 */
export async function putParticipant(store: Store, wish: Wish, { caller }: Call, newcomers: boolean): Promise<Participant> {
  const { conversationId } = wish;
  let participant: StoredParticipant | undefined;
  await changeConversation(store, { conversationId, caller, deed: 'govern' }, async ({ client, conversation, tell }) => {
    const role = givenRole(wish.role);
    const userId = notTheOwner(conversation, wish.userId);
    const before = await findParticipant(client, conversation.id, userId);
    if (!before && !newcomers) throw notAParticipant();
    if (before?.role !== role) {
      await write(client, conversation, userId, role);
      tell('shared', { userId, role });
    }
    participant = await findParticipant(client, conversation.id, userId);
  });
  if (!participant) throw notAParticipant();
  return participant;
}
