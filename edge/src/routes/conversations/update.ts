import { z } from 'zod';
import { type conversation, toConversation } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams, booleanParam, title } from './fields.ts';

/** Query parameters of a change of a conversation. */
export const updateConversationQuery = z.object({
  title: title.min(1, 'must not be empty').optional().meta({ description: 'The new title.' }),
  pinned: booleanParam.optional().meta({ type: 'boolean', description: 'Whether it is pinned.' }),
});

/** Renames, pins or unpins a conversation; without parameters nothing changes. */
export async function updateConversation(
  { principal, params, query }: Input<z.output<typeof conversationParams>, z.output<typeof updateConversationQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof conversation>>> {
  const request = { conversationId: params.conversation_id, title: query.title, pinned: query.pinned };
  return { body: toConversation(await clients.conversation.updateConversation(request, { caller: principal })) };
}
