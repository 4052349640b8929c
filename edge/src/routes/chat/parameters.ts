import { z } from 'zod';
import { type ChatRequest } from './schema.ts';

/** Longest JSON of all parameters of a request, in characters; when it is longer, all are dropped. */
const MAX_LENGTH = 8_192;

/** Parameters that connections may be configured to pass on. An invalid value is dropped; it never makes the request fail. */
const passable = z.object({
  temperature: lenient(z.number()),
  top_p: lenient(z.number()),
  max_tokens: lenient(z.int()),
  max_completion_tokens: lenient(z.int()),
  stop: lenient(z.union([z.string(), z.array(z.string()).max(16)])),
  seed: lenient(z.int()),
  response_format: lenient(z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) })),
  presence_penalty: lenient(z.number()),
  frequency_penalty: lenient(z.number()),
});

const NAMES = passable.keyof().options;

/** Returns the sampling parameters of a body as a JSON object; empty when it has none. */
export function toParametersJson(body: ChatRequest): string {
  if (!NAMES.some((name) => body[name] !== undefined)) return '';
  const json = JSON.stringify(passable.parse(body));
  return json === '{}' || json.length > MAX_LENGTH ? '' : json;
}

function lenient<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined);
}
