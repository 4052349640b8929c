import { type z } from 'zod';
import { type conversation, toConversation } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';

/** Archives a conversation and returns it; an archived one stays unchanged. */
export async function archiveConversation(
  { principal, params }: Input<z.output<typeof conversationParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof conversation>>> {
  const request = { conversationId: params.conversation_id };
  return { body: toConversation(await clients.conversation.archiveConversation(request, { caller: principal })) };
}
