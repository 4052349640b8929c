import { z } from 'zod';

/** Files that one message may carry. */
const MOST_ATTACHMENTS = 50;

/** The body of `POST /api/conversations/:id/messages`. */
export const messageRequestSchema = z.object({
  /** null: the root of an empty conversation. */
  parent_id: z.string().nullable(),
  client_turn_id: z.string().min(1).max(200),
  /** The turn may have been sent before: its messages are not appended twice, and a reply that broke off is produced anew. */
  again: z.boolean().default(false),
  model: z.string().optional(),
  /** Where a new conversation is to be; one that exists stays where it is. */
  project_id: z.string().optional(),
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.string(),
        images: z.array(z.string()).optional(),
        /** Ids of files. */
        attachments: z.array(z.string()).max(MOST_ATTACHMENTS).optional(),
      }),
    )
    .min(1),
});

export type MessageRequest = z.infer<typeof messageRequestSchema>;
