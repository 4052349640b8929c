import { type Call } from '@parley/kit/rpc/call';
import { type Asset, type GetAssetRequest } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { requireAccessibleAsset } from '../domain/access.ts';
import { findAsset } from '../store/read-assets.ts';
import { toAsset } from './asset-view.ts';

/** Returns an asset. @throws ASSET_NOT_FOUND, ASSET_ACCESS_DENIED */
export async function getAsset({ store }: Deps, { id }: GetAssetRequest, { caller }: Call): Promise<Asset> {
  return toAsset(requireAccessibleAsset(await findAsset(store.database, id), caller));
}
