import { type z } from 'zod';
import { type removedParticipant } from '../../../wire/participant.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type participantParams } from '../fields.ts';

/** Removes a participant from a conversation. */
export async function removeParticipant(
  { principal, params }: Input<z.output<typeof participantParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof removedParticipant>>> {
  const { conversation_id: conversationId, user_id: userId } = params;
  await clients.conversation.removeParticipant({ conversationId, userId }, { caller: principal });
  return { body: { user_id: userId, object: 'participant.deleted', deleted: true } };
}
