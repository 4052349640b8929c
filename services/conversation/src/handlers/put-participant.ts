import { type Call } from '@parley/kit/rpc/call';
import { type Participant } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { requireParticipantRole, participantNotFoundError, requireNonOwner } from '../domain/participant-request.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { type StoredParticipant, findParticipant, putParticipant as write } from '../store/participants.ts';

/** A user and the role to set. */
interface RoleRequest {
  conversationId: string;
  userId: string;
  role: string;
}

/**
 * Sets the role of a participant; publishes an event only for a change.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, VALIDATION_ERROR; PARTICIPANT_NOT_FOUND for a new one without `allowNew`.
 */
export async function putParticipant({ store }: Deps, request: RoleRequest, { caller }: Call, allowNew: boolean): Promise<Participant> {
  const { conversationId } = request;
  let participant: StoredParticipant | undefined;
  await changeConversation(store, { conversationId, caller, permission: 'govern' }, async ({ client, conversation, emit }) => {
    const role = requireParticipantRole(request.role);
    const userId = requireNonOwner(conversation, request.userId);
    const before = await findParticipant(client, conversation.id, userId);
    if (!before && !allowNew) throw participantNotFoundError();
    if (before?.role !== role) {
      await write(client, conversation, userId, role);
      emit('shared', { userId, role });
    }
    participant = await findParticipant(client, conversation.id, userId);
  });
  if (!participant) throw participantNotFoundError();
  return participant;
}
