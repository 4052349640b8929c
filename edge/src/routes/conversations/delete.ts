import { type z } from 'zod';
import { type deletedConversation } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';

/** Deletes a conversation (soft delete): it can no longer be found. */
export async function deleteConversation(
  { principal, params }: Input<z.output<typeof conversationParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof deletedConversation>>> {
  const id = params.conversation_id;
  await clients.conversation.deleteConversation({ conversationId: id }, { caller: principal });
  return { body: { id, object: 'conversation.deleted', deleted: true } };
}
