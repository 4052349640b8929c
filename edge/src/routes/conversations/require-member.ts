import { GatewayError } from '@parley/protos/errors';
import { type Principal } from '../../middleware/principal.ts';
import { findMemberName } from '../../store/users.ts';
import { type RouteDeps } from '../deps.ts';

/**
 * Returns the display name of the user with whom the caller shares a conversation, who must be a member of the caller's workspace.
 * @throws GatewayError PARTICIPANT_NOT_FOUND naming `user_id`; a caller without access to the conversation gets that error instead
 */
export async function requireMember(
  { clients, db }: Pick<RouteDeps, 'clients' | 'db'>,
  principal: Principal,
  conversationId: string,
  userId: string,
): Promise<string> {
  const name = await findMemberName(db, principal.workspaceId, userId);
  if (name !== undefined) return name;
  await clients.conversation.getConversation({ conversationId }, { caller: principal });
  throw new GatewayError('PARTICIPANT_NOT_FOUND', 'no such member of the workspace', { param: 'user_id' });
}
