import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { histogram } from '@parley/kit/telemetry/meter';
import { type ListConversationsRequest, type ListConversationsResponse } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { toStorableText } from '../domain/storable-text.ts';
import { requireCallerKey } from '../domain/turn-request.ts';
import { type ConversationListQuery, MAX_COUNTED_MATCHES, listConversations as readConversations } from '../store/list-conversations.ts';
import { searchConversations } from '../store/search-conversations.ts';
import { type SearchOwner } from '../store/search-owners.ts';
import { toConversation } from './conversation-view.ts';

const SEARCH_SECONDS = histogram('parley_search_seconds');
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/**
 * Lists the conversations of the caller and those shared with it, newest activity first, with the number of matches up to 10,000.
 * @throws VALIDATION_ERROR; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export async function listConversations(
  { store: { database }, indexer }: Deps,
  request: ListConversationsRequest,
  { caller }: Call,
): Promise<ListConversationsResponse> {
  const { limit, offset } = request;
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  const query: ConversationListQuery = {
    ...requireCallerKey(caller),
    userId: isUuid(caller.userId) ? caller.userId : null,
    status: toStorableText(request.statusFilter),
    search: toStorableText(request.search),
    pinnedOnly: request.pinnedOnly,
    destination: toStorableText(request.destinationFilter),
    account: toStorableText(request.accountFilter),
    project: toStorableText(request.projectFilter),
    limit: limit || DEFAULT_LIMIT,
    offset,
  };
  const isSearch = query.search !== '';
  const began = performance.now();
  const { conversations, total } = await (isSearch ? searchConversations : readConversations)(database.generalPool, query);
  if (isSearch) {
    SEARCH_SECONDS.record({}, (performance.now() - began) / 1_000);
    indexer.recordSearch(toOwners(query), caller.requestId);
  }
  return {
    conversations: conversations.map(toConversation),
    total: Math.min(total, MAX_COUNTED_MATCHES),
    totalExceeded: total > MAX_COUNTED_MATCHES,
  };
}

/** The owners of the conversations that the caller searches, without shared ones. */
function toOwners({ workspaceId, keyId, userId }: ConversationListQuery): SearchOwner[] {
  const key = { workspaceId, ownerId: keyId, isKey: true };
  return userId === null ? [key] : [key, { workspaceId, ownerId: userId, isKey: false }];
}
