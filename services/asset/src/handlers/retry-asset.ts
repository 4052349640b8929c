import { type Call } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { type Asset, type RetryAssetRequest } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireAccessibleAsset } from '../domain/access.ts';
import { findAsset } from '../store/read-assets.ts';
import { retryAsset as retry } from '../store/retry-asset.ts';
import { toAsset } from './asset-view.ts';

/** Queues a failed asset again. @throws ASSET_NOT_FOUND, ASSET_ACCESS_DENIED, ASSET_NOT_RETRYABLE */
export async function retryAsset({ store, lifetimes }: Deps, { id }: RetryAssetRequest, call: Call): Promise<Asset> {
  const asset = requireAccessibleAsset(await findAsset(store.database, id), call.caller);
  const retried = await retry(store, asset.id, lifetimes.ingestTimeoutMs, toWorkOrigin(call));
  if (!retried) throw new GatewayError('ASSET_NOT_RETRYABLE', 'only a generated asset that has failed can be retried');
  return toAsset(retried);
}
