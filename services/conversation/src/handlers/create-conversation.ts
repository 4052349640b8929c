import type { Call } from '@parley/kit/rpc/call';
import type { Conversation, CreateConversationRequest } from '@parley/protos/conversation/v1/resource';
import { toConversationInput } from '../domain/conversation-request.ts';
import { writeConversation } from '../store/write-conversation.ts';
import type { Store } from '../store/store.ts';
import { toConversation } from './to-conversation.ts';

/** Records a conversation without messages; the same id again answers the same one (spec §4.3). @throws VALIDATION_ERROR, CONVERSATION_ACCESS_DENIED. */
export async function createConversation(store: Store, request: CreateConversationRequest, { caller }: Call): Promise<Conversation> {
  return toConversation(await writeConversation(store, toConversationInput(request, caller), [], caller));
}
