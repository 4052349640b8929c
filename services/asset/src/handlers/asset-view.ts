import { type Asset } from '@parley/protos/asset/v1/asset';
import { type StoredAsset } from '../domain/asset.ts';

/** Converts a stored asset to its message. */
export function toAsset(asset: StoredAsset): Asset {
  const { id, assetType, fileName, mimeType, sizeBytes, status, retryCount, createdAt, updatedAt } = asset;
  return {
    ...{ id, assetType, fileName, mimeType, sizeBytes, status, retryCount, createdAt, updatedAt },
    width: asset.width ?? undefined,
    height: asset.height ?? undefined,
    conversationId: asset.conversationId ?? '',
    messageId: asset.messageId ?? '',
    errorCondition: asset.errorCondition ?? '',
    errorMessage: asset.errorMessage ?? '',
    sha256: asset.sha256 ?? '',
  };
}
