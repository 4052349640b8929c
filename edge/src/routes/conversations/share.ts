import { z } from 'zod';
import { type participant, toParticipant } from '../../wire/participant.ts';
import { type RouteDeps } from '../deps.ts';
import { uuid } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams, sharedRole } from './fields.ts';
import { requireMember } from './require-member.ts';

/** The body to share a conversation: a user and their role. */
export const shareConversationBody = z.object({ user_id: uuid, role: sharedRole }).meta({ id: 'NewParticipant' });

/** Shares a conversation with a member of the workspace; changes the role of an existing participant. */
export async function shareConversation(
  { principal, params, body }: Input<z.output<typeof conversationParams>, undefined, z.output<typeof shareConversationBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof participant>>> {
  const { conversation_id: conversationId } = params;
  const { user_id: userId, role } = body;
  const name = await requireMember(deps, principal, conversationId, userId);
  const shared = await deps.clients.conversation.shareConversation({ conversationId, userId, role }, { caller: principal });
  return { body: toParticipant(shared, new Map([[userId, name]])) };
}
