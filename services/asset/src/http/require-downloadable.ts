import { type DownloadableFile } from '@parley/kit/downloads/serve-download';
import { GatewayError } from '@parley/protos/errors';
import { type Database } from '../store/database.ts';
import { findAsset } from '../store/read-assets.ts';

/** Finds a ready asset for its download. @throws ASSET_NOT_FOUND, ASSET_NOT_READY */
export async function requireDownloadable(database: Database, id: string): Promise<DownloadableFile> {
  const asset = await findAsset(database, id);
  if (!asset) throw new GatewayError('ASSET_NOT_FOUND', 'the asset does not exist');
  const { blobKey: key, sha256, fileName, mimeType, sizeBytes } = asset;
  if (key === null || sha256 === null) throw new GatewayError('ASSET_NOT_READY', `the asset is ${asset.status}`);
  return { key, sha256, fileName, mimeType, sizeBytes };
}
