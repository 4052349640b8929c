import { z } from 'zod';

/** Maximum number of attachments of a message. */
const MOST_ATTACHMENTS = 50;

/** The body of `POST /api/conversations/:id/messages`. */
export const messageRequestSchema = z.object({
  /** Id of the message to which the turn is appended; null in an empty conversation. */
  parent_id: z.string().nullable(),
  client_turn_id: z.string().min(1).max(200),
  /** Whether the turn may have been sent before: its messages are not appended twice, and an interrupted reply is generated again. */
  again: z.boolean().default(false),
  model: z.string().optional(),
  /** Project of a new conversation; an existing one stays where it is. */
  project_id: z.string().optional(),
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.string(),
        images: z.array(z.string()).optional(),
        /** Ids of uploaded files. */
        attachments: z.array(z.string()).max(MOST_ATTACHMENTS).optional(),
      }),
    )
    .min(1),
});

export type MessageRequest = z.infer<typeof messageRequestSchema>;
