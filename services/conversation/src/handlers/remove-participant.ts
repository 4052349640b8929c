import { type Call } from '@parley/kit/rpc/call';
import { type RemoveParticipantRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { participantNotFoundError, requireNonOwner } from '../domain/participant-request.ts';
import { changeConversation } from '../store/change-conversation.ts';
import { removeParticipant as remove } from '../store/participants.ts';

/**
 * Removes a participant.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED, PARTICIPANT_NOT_FOUND, VALIDATION_ERROR.
 */
export async function removeParticipant(
  { store }: Deps,
  request: RemoveParticipantRequest,
  { caller }: Call,
): Promise<Record<string, never>> {
  const { conversationId } = request;
  await changeConversation(store, { conversationId, caller, permission: 'govern' }, async ({ client, conversation, emit }) => {
    const userId = requireNonOwner(conversation, request.userId);
    if (!(await remove(client, conversation.id, userId))) throw participantNotFoundError();
    emit('shared', { userId, role: '' });
  });
  return {};
}
