import { type Call } from '@parley/kit/rpc/call';
import { type ConversationRequest, type ListMessagesResponse } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { omitReplacedAnswers } from '../domain/replaced-answers.ts';
import { closeTurnIfAbandoned } from '../reaper/close-abandoned-turns.ts';
import { readMessages } from '../store/messages.ts';
import { toMessage } from './message-view.ts';
import { requireReadableConversation } from './require-readable-conversation.ts';

/**
 * Lists the messages of a conversation, oldest first, without answers that a repeated turn replaced. A running turn has its partial
 * answer.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED.
 */
export async function listMessages({ store }: Deps, request: ConversationRequest, { caller }: Call): Promise<ListMessagesResponse> {
  const { id } = await requireReadableConversation(store.database, request.conversationId, caller);
  const read = () => readMessages(store.database.generalPool, id);
  let messages = await read();
  const last = messages.at(-1);
  // Closes an abandoned turn here instead of waiting for the reaper.
  if (last?.status === 'streaming' && last.turnId !== null && (await closeTurnIfAbandoned(store, last.turnId))) messages = await read();
  return { messages: omitReplacedAnswers(messages).map(toMessage) };
}
