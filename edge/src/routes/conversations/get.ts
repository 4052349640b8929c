import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { findDisplayNames } from '../../store/users.ts';
import { type conversationDetail, toConversationDetail } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';

/** Returns a conversation with its participants. */
export async function getConversation(
  { principal, params }: Input<z.output<typeof conversationParams>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof conversationDetail>>> {
  const request = { conversationId: params.conversation_id };
  const { conversation, participants } = await clients.conversation.getConversation(request, { caller: principal });
  if (!conversation) throw new GatewayError('INTERNAL_ERROR', 'the conversation service answered without a conversation');
  const names = await findDisplayNames(
    db,
    participants.map(({ userId }) => userId),
  );
  return { body: toConversationDetail(conversation, participants, names) };
}
