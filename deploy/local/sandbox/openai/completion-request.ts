import { z } from 'zod';
import { type FileContent } from '../engine/files/file-content.ts';
import { type ThreadMessage } from '../engine/thread.ts';
import { extractInlineFiles } from './inline-files.ts';

const partSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({ type: z.string() }),
]);

/** The fields of `POST /v1/chat/completions` that are used; others are accepted and ignored, as servers of this API do. */
export const completionRequestSchema = z.object({
  model: z.string(),
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
        content: z.union([z.string(), z.array(partSchema)]).nullish(),
      }),
    )
    .min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
});

export type CompletionRequest = z.infer<typeof completionRequestSchema>;

function threadMessage({ role, content }: CompletionRequest['messages'][number]): ThreadMessage[] {
  if (role === 'tool' || role === 'function') return [];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const { text, files } = extractInlineFiles(parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n'));
  const images = parts.filter((part) => part.type === 'image_url').length;
  return [{ role: role === 'developer' ? 'system' : role, content: text, images, files }];
}

/** Converts the messages of a request for the reply engine. */
export function messagesToThread({ messages }: CompletionRequest): ThreadMessage[] {
  return messages.flatMap(threadMessage);
}

/** Returns the files in instructions: they apply to every message. */
export function listInstructionFiles(thread: readonly ThreadMessage[]): FileContent[] {
  return thread.flatMap(({ role, files = [] }) => (role === 'system' ? files : []));
}
