import { type Call } from '@parley/kit/rpc/call';
import { type AssetList, type ListAssetsRequest } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { findAssets } from '../store/read-assets.ts';
import { toAsset } from './asset-view.ts';

const MAX_IDS = 200;

/**
 * Returns the assets with these ids that belong to the caller's workspace, in the order of the ids.
 * @throws VALIDATION_ERROR, ASSET_ACCESS_DENIED
 */
export async function listAssets({ store }: Deps, { ids }: ListAssetsRequest, { caller }: Call): Promise<AssetList> {
  if (ids.length > MAX_IDS) throw new GatewayError('VALIDATION_ERROR', `more than ${MAX_IDS} ids`, { param: 'ids' });
  return { assets: (await findAssets(store.database, requireWorkspaceId(caller), ids)).map(toAsset) };
}
