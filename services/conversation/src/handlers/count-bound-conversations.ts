import { type Call } from '@parley/kit/rpc/call';
import { type CountBoundConversationsRequest, type CountBoundConversationsResponse } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { requireCallerWorkspace } from '../domain/turn-request.ts';
import { countBoundConversations as count } from '../store/count-conversations.ts';

/**
 * Counts the conversations of the caller's workspace, of all its keys, that are bound to a connection.
 * @throws CONVERSATION_ACCESS_DENIED for a caller without a workspace.
 */
export async function countBoundConversations(
  { store: { database } }: Deps,
  { upstreamAccountId }: CountBoundConversationsRequest,
  { caller }: Call,
): Promise<CountBoundConversationsResponse> {
  return { conversations: await count(database.generalPool, requireCallerWorkspace(caller), toStorableText(upstreamAccountId)) };
}
