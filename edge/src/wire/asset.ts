import { type Asset } from '@parley/protos/asset/v1/asset';
import { GatewayError, isErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';
import { type LinkWriter } from './link-writer.ts';
import { toTimestamp } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

const TYPES = ['image', 'file', 'audio', 'attachment', 'action_input'] as const;
const STATUSES = ['discovered', 'downloading', 'validating', 'ready', 'failed'] as const;

/** A generated or uploaded file in responses. */
export const asset = z
  .object({
    id: z.uuid(),
    asset_type: z.enum(TYPES),
    file_name: z.string(),
    mime_type: z.string(),
    size_bytes: z.int(),
    status: z.enum(STATUSES),
    download_url: z.string().optional().meta({ description: 'Set only when the status is ready.' }),
    retry_count: z.int(),
    width: z.int().optional().meta({ description: 'Of an image, in pixels.' }),
    height: z.int().optional().meta({ description: 'Of an image, in pixels.' }),
    error_code: z.string().optional().meta({ description: 'Set only when the status is failed.' }),
    error_message: z.string().optional().meta({ description: 'Set only when the status is failed.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Asset' });

/** Converts an asset to its JSON form; `link` writes the download URL. */
export function toAsset(from: Asset, link: LinkWriter): z.input<typeof asset> {
  const { id, width, height } = from;
  const status = toKnownValue(STATUSES, from.status, 'discovered');
  return {
    id,
    asset_type: toKnownValue(TYPES, from.assetType, 'file'),
    file_name: from.fileName,
    mime_type: from.mimeType,
    size_bytes: from.sizeBytes,
    status,
    ...(status === 'ready' && { download_url: link(`/v1/assets/${id}/download`) }),
    retry_count: from.retryCount,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(status === 'failed' && toAssetError(from)),
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
  };
}

/** Returns the error code of the API and the message of a failed asset. */
export function toAssetError({ errorCondition, errorMessage }: Asset): { error_code: string; error_message: string } {
  const error = new GatewayError(isErrorCondition(errorCondition) ? errorCondition : 'INTERNAL_ERROR', errorMessage);
  return { error_code: error.code, error_message: errorMessage };
}

/** True for an asset that is ready or failed. */
export function isTerminalAsset({ status }: Pick<Asset, 'status'>): boolean {
  return status === 'ready' || status === 'failed';
}
