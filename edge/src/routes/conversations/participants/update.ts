import { z } from 'zod';
import { findDisplayNames } from '../../../store/users.ts';
import { type participant, toParticipant } from '../../../wire/participant.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type participantParams, sharedRole } from '../fields.ts';

/** The body with the new role of a participant. */
export const updateParticipantBody = z.object({ role: sharedRole }).meta({ id: 'ParticipantChange' });

/** Changes the role of a participant and returns it. */
export async function updateParticipant(
  { principal, params, body }: Input<z.output<typeof participantParams>, undefined, z.output<typeof updateParticipantBody>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof participant>>> {
  const request = { conversationId: params.conversation_id, userId: params.user_id, role: body.role };
  const changed = await clients.conversation.updateParticipant(request, { caller: principal });
  return { body: toParticipant(changed, await findDisplayNames(db, [changed.userId])) };
}
