import { type Call } from '@parley/kit/rpc/call';
import { type Download, type OpenDownloadRequest } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireAccessibleAsset } from '../domain/access.ts';
import { findAsset } from '../store/read-assets.ts';

/** Returns a signed URL of the bytes that is valid for 30 seconds. @throws ASSET_NOT_FOUND, ASSET_ACCESS_DENIED, ASSET_NOT_READY */
export async function openDownload({ store, signer, httpUrl }: Deps, { id }: OpenDownloadRequest, { caller }: Call): Promise<Download> {
  const asset = requireAccessibleAsset(await findAsset(store.database, id), caller);
  if (asset.status !== 'ready') throw new GatewayError('ASSET_NOT_READY', `the asset is ${asset.status}`);
  return { path: `/assets/${asset.id}?ticket=${signer.sign(asset.id, Date.now())}`, baseUrl: httpUrl };
}
