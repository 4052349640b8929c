import { z } from 'zod';

/** A generated or uploaded file (spec §2.3). */
export const asset = z
  .object({
    id: z.uuid(),
    asset_type: z.enum(['image', 'file', 'audio', 'attachment', 'action_input']),
    file_name: z.string(),
    mime_type: z.string(),
    size_bytes: z.int(),
    status: z.enum(['discovered', 'downloading', 'validating', 'ready', 'failed']),
    download_url: z.string().optional().meta({ description: 'Set only when the status is ready.' }),
    retry_count: z.int(),
  })
  .meta({ id: 'Asset' });
