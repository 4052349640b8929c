import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type CreateConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { toConversationInput } from '../domain/conversation-request.ts';
import { writeConversation } from '../store/write-conversation.ts';
import { toConversation } from './conversation-view.ts';

/** Creates a conversation without messages; idempotent by id. @throws VALIDATION_ERROR, CONVERSATION_ACCESS_DENIED. */
export async function createConversation({ store }: Deps, request: CreateConversationRequest, { caller }: Call): Promise<Conversation> {
  return toConversation(await writeConversation(store, toConversationInput(request, caller), [], caller));
}
