import { type Asset } from '@parley/protos/asset/v1/asset';
import { z } from 'zod';

/** A file that is attached to a conversation, in responses. */
export const attachment = z
  .object({
    file_id: z.string().meta({ description: 'The id for `attachment_file_ids` in this conversation.' }),
    asset_id: z.uuid(),
    file_name: z.string(),
    mime_type: z.string(),
    size_bytes: z.int(),
    width: z.int().optional().meta({ description: 'Pixels; images only.' }),
    height: z.int().optional().meta({ description: 'Pixels; images only.' }),
  })
  .meta({ id: 'Attachment' });

/** Converts an attached file to its JSON form; `fileId` is its id in the conversation. */
export function toAttachment(fileId: string, { id, fileName, mimeType, sizeBytes, width, height }: Asset): z.input<typeof attachment> {
  return {
    file_id: fileId,
    asset_id: id,
    file_name: fileName,
    mime_type: mimeType,
    size_bytes: sizeBytes,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}
