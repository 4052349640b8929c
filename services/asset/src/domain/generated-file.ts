import { type GeneratedHead } from '@parley/protos/asset/v1/asset';
import { invalidFieldError, requireUuid } from './artifact.ts';
import { type StoredAsset } from './asset.ts';
import { toSafeFileName } from './file-name.ts';

/** A file that another service generated, before its bytes arrive. */
export interface GeneratedFile {
  id: string;
  assetType: 'audio';
  fileName: string;
  /** The type that its producer declares. */
  mimeType: string;
  /** SHA-256 of the bytes in hex. */
  sha256: string;
  /** How long it is kept unless the operator configures another time, in milliseconds. */
  keepMs: number;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Validates the head of a generated file. @throws VALIDATION_ERROR naming the invalid field */
export function parseGeneratedFile({ assetId, assetType, file, sha256, keepSeconds }: GeneratedHead): GeneratedFile {
  if (assetType !== 'audio') throw invalidFieldError('asset_type', 'is not audio');
  if (!SHA256.test(sha256)) throw invalidFieldError('sha256', 'is not a SHA-256 in hex');
  // It belongs to no conversation with which it would be deleted, so it must expire.
  if (keepSeconds === 0) throw invalidFieldError('keep_seconds', 'is 0');
  const { fileName = '', declaredType = '' } = file ?? {};
  return {
    ...{ id: requireUuid('asset_id', assetId), assetType, sha256, keepMs: keepSeconds * 1_000 },
    ...{ fileName: toSafeFileName(fileName, assetType), mimeType: declaredType },
  };
}

/** Returns the asset if it is this file. @throws VALIDATION_ERROR when it is another file */
export function requireSameFile(asset: StoredAsset, { assetType, sha256 }: GeneratedFile): StoredAsset {
  if (asset.assetType === assetType && asset.sha256 === sha256) return asset;
  throw invalidFieldError('asset_id', "is another file's");
}
