import { z } from 'zod';
import { asset } from '../../wire/asset.ts';
import { lifecycleEvent } from '../../wire/lifecycle-event.ts';
import { IDEMPOTENCY_KEY_HEADER, idempotencyKeyHeader } from '../idempotency-key.ts';
import { toContentErrorMessage } from './content-error-message.ts';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const imagePart = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string().min(1) }) });

const chatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z
    .union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart])).min(1)], {
      error: ({ input }) => toContentErrorMessage(input),
    })
    .nullable()
    .meta({ description: 'Null only in messages of the assistant, as clients send them that had tools.' }),
});

const passable = z
  .unknown()
  .optional()
  .meta({ description: 'Passed to the upstream if the connection is configured to pass it; otherwise ignored.' });

/** Sampling parameters for which any value is accepted. */
const PASSABLE = {
  max_completion_tokens: passable,
  stop: passable,
  seed: passable,
  response_format: passable,
  presence_penalty: passable,
  frequency_penalty: passable,
};

/** Body of POST /v1/chat/completions. Unknown fields are ignored; null means absent. */
export const chatRequest = z
  .object({
    model: z.string().min(1).max(256).meta({ description: '`auto` lets the gateway choose.' }),
    messages: z.array(chatMessage).min(1).max(10_000),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    attachment_file_ids: z.array(z.string().min(1).max(200)).max(20).nullish(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    max_tokens: z.int().nullish(),
    n: z.int().min(1).nullish(),
    logprobs: z.boolean().nullish(),
    ...PASSABLE,
    tools: z.unknown().optional(),
    tool_choice: z.unknown().optional(),
    functions: z.unknown().optional(),
    function_call: z.unknown().optional(),
  })
  .meta({ id: 'ChatCompletionRequest' });

/** Routing headers of a turn. */
export const routingHeaders = z.object({
  'X-Service-Conversation-Id': z.uuid().optional().meta({ description: 'Continues a conversation; from the header of an earlier answer.' }),
  'X-Service-Upstream-Project': z.string().optional().meta({ description: 'Slug, not id, of an upstream project.' }),
  'X-Service-Project': z.string().optional().meta({ description: 'Slug of an internal, admin-managed project.' }),
  'X-Service-Upstream-Account': z.string().optional().meta({ description: 'Label of the account to use.' }),
  'X-Service-Route-Profile': z.string().optional().meta({ description: 'Slug of a routing profile.' }),
  [IDEMPOTENCY_KEY_HEADER]: idempotencyKeyHeader.meta({
    description: 'Same key and body: the first turn’s result; same key, other body: 422.',
  }),
});

export type ChatRequest = z.infer<typeof chatRequest>;

const usage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
const reasoning = z.string().optional().meta({ description: 'The reasoning of a model before its answer; not part of `content`.' });
const finishReason = z.enum(['stop', 'length', 'content_filter']);

/** Non-streaming answer of POST /v1/chat/completions. */
export const chatResponse = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    conversation_id: z.uuid(),
    message_id: z.uuid(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({ role: z.literal('assistant'), content: z.string(), reasoning_content: reasoning }),
        finish_reason: finishReason,
      }),
    ),
    usage,
    assets: z.array(asset).optional().meta({ description: 'Assets that the upstream generated; absent without any.' }),
  })
  .meta({ id: 'ChatCompletion' });

/** One event of a streamed answer. Only the first event has `conversation_id` and `message_id`. */
export const chatChunk = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    conversation_id: z.uuid().optional(),
    message_id: z.uuid().optional(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: z.object({ role: z.literal('assistant').optional(), content: z.string().optional(), reasoning_content: reasoning }),
        finish_reason: z.union([finishReason, z.literal('error')]).nullable(),
      }),
    ),
    lifecycle_event: lifecycleEvent.optional(),
    usage: usage.nullable().optional(),
  })
  .meta({ id: 'ChatCompletionChunk' });
