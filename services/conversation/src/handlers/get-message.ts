import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type GetMessageRequest, type Message } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { closeTurnIfAbandoned } from '../reaper/close-abandoned-turns.ts';
import { findMessage } from '../store/messages.ts';
import { toMessage } from './message-view.ts';
import { requireReadableConversation } from './require-readable-conversation.ts';

/**
 * Returns one message of a conversation that the caller may read.
 *
 * @throws MESSAGE_NOT_FOUND, CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED.
 */
export async function getMessage({ store }: Deps, { messageId }: GetMessageRequest, { caller }: Call): Promise<Message> {
  const find = async () => {
    const found = isUuid(messageId) ? await findMessage(store.database.generalPool, messageId.toLowerCase()) : undefined;
    if (!found) throw new GatewayError('MESSAGE_NOT_FOUND', 'the message does not exist');
    return found;
  };
  const message = await find();
  await requireReadableConversation(store.database, message.conversationId, caller);
  const isClosed = message.status === 'streaming' && message.turnId !== null && (await closeTurnIfAbandoned(store, message.turnId));
  return toMessage(isClosed ? await find() : message);
}
