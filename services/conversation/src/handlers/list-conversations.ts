import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type ListConversationsRequest, type ListConversationsResponse } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { toStorable } from '../domain/text.ts';
import { requireKey } from '../domain/turn-request.ts';
import { listConversations as readConversations } from '../store/list-conversations.ts';
import { type Store } from '../store/store.ts';
import { toConversation } from './to-conversation.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/**
 * Lists the conversations of the caller and those shared with it, newest activity first, with the number of matches.
 * @throws VALIDATION_ERROR; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export async function listConversations(
  { database }: Store,
  request: ListConversationsRequest,
  { caller }: Call,
): Promise<ListConversationsResponse> {
  const { limit, offset } = request;
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  const { conversations, total } = await readConversations(database.cold, {
    ...requireKey(caller),
    userId: isUuid(caller.userId) ? caller.userId : null,
    status: toStorable(request.statusFilter),
    search: toStorable(request.search),
    pinnedOnly: request.pinnedOnly,
    destination: toStorable(request.destinationFilter),
    account: toStorable(request.accountFilter),
    project: toStorable(request.projectFilter),
    limit: limit || DEFAULT_LIMIT,
    offset,
  });
  return { conversations: conversations.map(toConversation), total };
}
