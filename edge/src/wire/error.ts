import { z } from 'zod';

/** The JSON body of an error. */
export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'Machine code; compare case-insensitively.' }),
      message: z.string(),
      type: z.string(),
      param: z.string().optional().meta({ description: 'The offending parameter.' }),
      request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
      retryable: z.boolean().nullable().meta({ description: 'Possibly transient; null when not applicable.' }),
    }),
  })
  .meta({ id: 'Error' });
