import { type ConversationCreateParams } from 'openai/resources/conversations/conversations';
import { type FilePurpose } from 'openai/resources/files';
import { type ResponseCreateParamsStreaming, type ResponseInputItem, type Tool } from 'openai/resources/responses/responses';
import { type FileCreateParams } from 'openai/resources/vector-stores/files';
import { type VectorStoreCreateParams, type VectorStoreUpdateParams } from 'openai/resources/vector-stores/vector-stores';
import { z } from 'zod';

/**
 * What the official API takes of a request, and nothing else: unknown fields are refused, as they are there. Each schema answers to the type of the
 * official client, so that what it lets pass is a request of that API.
 */
const metadata = z.record(z.string().max(64), z.string().max(512)).refine((all) => Object.keys(all).length <= 16);

const id = (prefix: string) => z.string().startsWith(`${prefix}_`);
const detail = z.enum(['low', 'high', 'auto']);

const content = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('input_image'), detail, file_id: id('file').optional(), image_url: z.string().min(1).optional() }),
  z.strictObject({ type: z.literal('input_file'), file_id: id('file') }),
]);

const inputItem = z.union([
  z.strictObject({ role: z.enum(['user', 'system', 'developer']), content: z.union([z.string().min(1), z.array(content).min(1)]) }),
  // What the assistant said is no input: it is taken as plain text only.
  z.strictObject({ role: z.literal('assistant'), content: z.string().min(1) }),
]) satisfies z.ZodType<ResponseInputItem>;

const tool = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('file_search'), vector_store_ids: z.array(id('vs')).min(1) }),
  z.strictObject({ type: z.literal('image_generation'), output_format: z.enum(['png', 'webp', 'jpeg']).optional() }),
  z.strictObject({
    type: z.literal('code_interpreter'),
    container: z.strictObject({ type: z.literal('auto'), file_ids: z.array(id('file')).max(50).optional() }),
  }),
]) satisfies z.ZodType<Tool>;

/** `POST /responses`. */
export const responseCreate = z.strictObject({
  model: z.string().min(1),
  conversation: id('conv'),
  input: z.array(inputItem).min(1),
  instructions: z.string().optional(),
  tools: z.array(tool).optional(),
  background: z.boolean().optional(),
  store: z.literal(true).optional(),
  stream: z.literal(true),
  truncation: z.enum(['auto', 'disabled']).optional(),
  metadata: metadata.optional(),
}) satisfies z.ZodType<ResponseCreateParamsStreaming>;

export type ResponseCreate = z.infer<typeof responseCreate>;
export type InputItem = z.infer<typeof inputItem>;

/** `POST /conversations`. */
export const conversationCreate = z.strictObject({
  items: z.array(inputItem).max(20).optional(),
  metadata: metadata.optional(),
}) satisfies z.ZodType<ConversationCreateParams>;

/** `POST /conversations/{id}/items`. */
export const itemsCreate = z.strictObject({ items: z.array(inputItem).min(1).max(20) });

/** `POST /vector_stores`. */
export const vectorStoreCreate = z.strictObject({
  name: z.string().optional(),
  metadata: metadata.optional(),
}) satisfies z.ZodType<VectorStoreCreateParams>;

/** `POST /vector_stores/{id}`. */
export const vectorStoreUpdate = z.strictObject({ name: z.string().optional() }) satisfies z.ZodType<VectorStoreUpdateParams>;

/** `POST /vector_stores/{id}/files`. */
export const vectorStoreFile = z.strictObject({ file_id: id('file') }) satisfies z.ZodType<FileCreateParams>;

/** The fields of `POST /files`. */
export const fileCreate = z.strictObject({
  purpose: z.enum(['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals']) satisfies z.ZodType<FilePurpose>,
  file: z.instanceof(File),
});

/** What a list is asked with. */
export const listQuery = z.strictObject({
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  after: z.string().optional(),
});
