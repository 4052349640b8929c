import { z } from 'zod';
import { type conversation, toConversation } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { uuid } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';
import { requireMember } from './require-member.ts';

/** The body with the new owner of a conversation. */
export const transferConversationBody = z.object({ user_id: uuid }).meta({ id: 'NewOwner' });

/** Transfers a conversation to another member of the workspace; the former owner becomes an editor. */
export async function transferConversation(
  { principal, params, body }: Input<z.output<typeof conversationParams>, undefined, z.output<typeof transferConversationBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof conversation>>> {
  const request = { conversationId: params.conversation_id, userId: body.user_id };
  await requireMember(deps, principal, request.conversationId, request.userId);
  return { body: toConversation(await deps.clients.conversation.transferConversation(request, { caller: principal })) };
}
