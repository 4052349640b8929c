import { type z } from 'zod';
import { type conversation, toConversation } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';

/** Restores a conversation from the archive and returns it. */
export async function restoreConversation(
  { principal, params }: Input<z.output<typeof conversationParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof conversation>>> {
  const request = { conversationId: params.conversation_id };
  return { body: toConversation(await clients.conversation.restoreConversation(request, { caller: principal })) };
}
