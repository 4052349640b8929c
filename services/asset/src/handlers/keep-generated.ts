import { type Call } from '@parley/kit/rpc/call';
import { type Asset, type KeepGeneratedRequest } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { requireAccessibleAsset, requireWorkspaceId } from '../domain/access.ts';
import { parseGeneratedFile, requireSameFile } from '../domain/generated-file.ts';
import { findAsset } from '../store/read-assets.ts';
import { openUpload } from '../upload/open-upload.ts';
import { storeGeneratedFile } from '../upload/store-generated-file.ts';
import { toAsset } from './asset-view.ts';

/**
 * Stores a file that another service generated, once for each id.
 * @throws the errors of `storeGeneratedFile`, VALIDATION_ERROR, ASSET_ACCESS_DENIED for an id of another workspace and for a caller without one
 */
export async function keepGenerated(deps: Deps, frames: AsyncIterable<KeepGeneratedRequest>, call: Call): Promise<Asset> {
  const { caller } = call;
  const upload = await openUpload(frames);
  try {
    requireWorkspaceId(caller);
    const file = parseGeneratedFile(upload.head);
    const known = () => findAsset(deps.store.database, file.id);
    const asset = (await known()) ?? (await storeGeneratedFile(deps, file, upload.chunks, call)) ?? (await known());
    return toAsset(requireSameFile(requireAccessibleAsset(asset, caller), file));
  } finally {
    upload.stop();
  }
}
