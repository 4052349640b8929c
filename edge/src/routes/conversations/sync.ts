import { type z } from 'zod';
import { type conversation, toConversation } from '../../wire/conversation.ts';
import { type RouteDeps } from '../deps.ts';
import { UPSTREAM_TIMEOUT_MS } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';

/** Updates the record of a conversation with its state at the upstream, and returns it. */
export async function syncConversation(
  { principal, params }: Input<z.output<typeof conversationParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof conversation>>> {
  const request = { conversationId: params.conversation_id };
  const synced = await clients.chatRouting.syncConversation(request, { caller: principal, deadlineMs: UPSTREAM_TIMEOUT_MS });
  return { body: toConversation(synced) };
}
