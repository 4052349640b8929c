import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type ListConversationAssetsRequest, type ListConversationAssetsResponse } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { requireUuid } from '../domain/artifact.ts';
import { toPage } from '../domain/page.ts';
import { listAssetsOfConversation } from '../store/read-assets.ts';
import { toAsset } from './asset-view.ts';

/**
 * Returns the assets that were attached to a conversation or generated in it, oldest first, to callers that may read it.
 * @throws VALIDATION_ERROR, CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED
 */
export async function listConversationAssets(
  { store, conversation }: Deps,
  request: ListConversationAssetsRequest,
  call: Call,
): Promise<ListConversationAssetsResponse> {
  const page = toPage(request);
  const conversationId = requireUuid('conversation_id', request.conversationId);
  await conversation.getConversation({ conversationId }, toDownstreamInit(call));
  const where = { workspaceId: requireWorkspaceId(call.caller), conversationId };
  const { assets, total } = await listAssetsOfConversation(store.database, where, page);
  return { assets: assets.map(toAsset), total };
}
