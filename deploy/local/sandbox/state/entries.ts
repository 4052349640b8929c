import { z } from 'zod';
import { accountSchema } from '../options.ts';

const messageSchema = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
  images: z.number().int(),
  at: z.number(),
});

/** One change of state: a line of the journal. */
export const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('account'), account: accountSchema }),
  z.object({ type: z.literal('session'), token: z.string(), account: z.string(), expires_at: z.number() }),
  z.object({ type: z.literal('sessions_expired'), account: z.string() }),
  z.object({ type: z.literal('conversation'), id: z.string(), account: z.string(), model: z.string(), title: z.string(), at: z.number() }),
  z.object({
    type: z.literal('turn'),
    conversation: z.string(),
    client_turn_id: z.string(),
    /** The turn created its conversation, so it is also known by its account. */
    opened: z.boolean(),
    /** What the reply is written with; absent in journals of older versions. */
    model: z.string().optional(),
    messages: z.array(messageSchema),
    reply: messageSchema,
  }),
  z.object({
    type: z.literal('finish'),
    conversation: z.string(),
    message: z.string(),
    content: z.string(),
    finish_reason: z.enum(['stop', 'length', 'stopped', 'error', 'interrupted']),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
  z.object({ type: z.literal('message'), conversation: z.string(), message: messageSchema }),
  z.object({ type: z.literal('edit'), conversation: z.string(), message: z.string(), content: z.string() }),
  z.object({ type: z.literal('status'), conversation: z.string(), status: z.enum(['active', 'deleted', 'chain_broken', 'access_lost']) }),
]);

export type Entry = z.infer<typeof entrySchema>;
/** The entry of one type. */
export type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>;
export type RecordedMessage = z.infer<typeof messageSchema>;
