import { type z } from 'zod';
import { findDisplayNames } from '../../../store/users.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type participant, toParticipant } from '../../../wire/participant.ts';
import { type RouteDeps } from '../../deps.ts';
import { wholeListHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { type conversationParams } from '../fields.ts';

/** Returns the participants of a conversation: the owner first, then in the order in which they were added. */
export async function listParticipants(
  { principal, params }: Input<z.output<typeof conversationParams>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof participant>[]>> {
  const id = params.conversation_id;
  const { participants } = await clients.conversation.listParticipants({ conversationId: id }, { caller: principal });
  const names = await findDisplayNames(
    db,
    participants.map(({ userId }) => userId),
  );
  return {
    body: participants.map((one) => toParticipant(one, names)),
    headers: wholeListHeaders(`/v1/conversations/${id}/participants`, participants.length, getLinkWriter(principal)),
  };
}
