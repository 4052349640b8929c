import { z } from 'zod';
import { toMessageWithAssets } from '../../assets/messages-with-assets.ts';
import { type message } from '../../wire/message.ts';
import { type RouteDeps } from '../deps.ts';
import { uuid } from '../fields.ts';
import { type Input, type Reply } from '../route.ts';

/** The path parameter with the id of a message. */
export const messageParams = z.object({ message_id: uuid });

/** Returns a message with its current status and assets; clients poll it after a stream has ended. */
export async function getMessage(
  { principal, params }: Input<z.output<typeof messageParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof message>>> {
  const found = await clients.conversation.getMessage({ messageId: params.message_id }, { caller: principal });
  return { body: await toMessageWithAssets(clients, principal, found) };
}
