import { type z } from 'zod';
import { toMessagesWithAssets } from '../../assets/messages-with-assets.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type message } from '../../wire/message.ts';
import { type RouteDeps } from '../deps.ts';
import { wholeListHeaders } from '../paging.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';

/** Returns all messages of a conversation, oldest first. */
export async function listMessages(
  { principal, params }: Input<z.output<typeof conversationParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof message>[]>> {
  const id = params.conversation_id;
  const { messages } = await clients.conversation.listMessages({ conversationId: id }, { caller: principal });
  const body = await toMessagesWithAssets(clients, principal, messages);
  return { body, headers: wholeListHeaders(`/v1/conversations/${id}/messages`, messages.length, getLinkWriter(principal)) };
}
