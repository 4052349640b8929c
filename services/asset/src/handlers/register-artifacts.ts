import { type Call } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { type AssetList, type RegisterArtifactsRequest } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { requireUuid, parseArtifacts } from '../domain/artifact.ts';
import { findAssets } from '../store/read-assets.ts';
import { registerArtifacts as register } from '../store/register-artifacts.ts';
import { toAsset } from './asset-view.ts';

/** Registers the artifacts of a message, and starts to fetch new ones. @throws VALIDATION_ERROR, ASSET_ACCESS_DENIED */
export async function registerArtifacts({ store, lifetimes }: Deps, request: RegisterArtifactsRequest, call: Call): Promise<AssetList> {
  const workspaceId = requireWorkspaceId(call.caller);
  const conversationId = requireUuid('conversation_id', request.conversationId);
  const messageId = requireUuid('message_id', request.messageId);
  const artifacts = parseArtifacts(request.artifacts);
  await register(store, { workspaceId, conversationId, messageId, artifacts, origin: toWorkOrigin(call) }, lifetimes);
  const ids = artifacts.map(({ id }) => id);
  return { assets: (await findAssets(store.database, workspaceId, ids)).map(toAsset) };
}
