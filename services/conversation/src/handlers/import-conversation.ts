import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type ImportConversationRequest } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { toImportedMessages, toConversationInput } from '../domain/conversation-request.ts';
import { deriveTitle } from '../domain/title.ts';
import { writeConversation } from '../store/write-conversation.ts';
import { toConversation } from './conversation-view.ts';

/** Creates a conversation with imported messages; idempotent by id. @throws VALIDATION_ERROR, CONVERSATION_ACCESS_DENIED. */
export async function importConversation({ store }: Deps, request: ImportConversationRequest, { caller }: Call): Promise<Conversation> {
  if (!request.conversation) throw new GatewayError('VALIDATION_ERROR', 'conversation is missing', { param: 'conversation' });
  const wanted = toConversationInput(request.conversation, caller);
  const messages = toImportedMessages(request.messages);
  const first = messages.find(({ role, text }) => role === 'user' && text !== '');
  const title = wanted.titleIsGiven ? wanted.title : deriveTitle(first?.text ?? '');
  return toConversation(await writeConversation(store, { ...wanted, title }, messages, caller));
}
