import { z } from 'zod';
import { conversation } from './conversation.ts';
import { message } from './message.ts';

/** A conversation with all its messages, as export writes it and import reads it. */
export const conversationExport = z
  .object({
    object: z.literal('conversation.export'),
    version: z.literal(1),
    conversation,
    messages: z.array(message).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'ConversationExport' });
