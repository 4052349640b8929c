import { type ActionInputAsset } from '@parley/protos/asset/v1/asset';
import { z } from 'zod';
import { toTimestamp } from './time.ts';

/** A file that was uploaded as input of an action, in responses. */
export const actionAsset = z
  .object({
    asset_id: z.uuid().meta({ description: 'The id for a file input, as `{"asset_id": …}`.' }),
    filename: z.string(),
    mime_type: z.string(),
    size_bytes: z.int(),
    sha256: z.string().meta({ description: 'In hex; checked again when a run reads the file.' }),
    action: z.string().meta({ description: 'Slug of the only action whose runs may use it.' }),
    run_id: z.uuid().nullable().meta({ description: 'The run that used it.' }),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ActionAsset' });

/** Converts an input file of an action to its JSON form. */
export function toActionAsset({ asset, actionSlug, runId, expiresAt }: ActionInputAsset): z.input<typeof actionAsset> {
  const createdAt = asset?.createdAt ?? new Date(0);
  return {
    asset_id: asset?.id ?? '',
    filename: asset?.fileName ?? '',
    mime_type: asset?.mimeType ?? '',
    size_bytes: asset?.sizeBytes ?? 0,
    sha256: asset?.sha256 ?? '',
    action: actionSlug,
    run_id: runId || null,
    expires_at: toTimestamp(expiresAt ?? createdAt),
    created_at: toTimestamp(createdAt),
  };
}
