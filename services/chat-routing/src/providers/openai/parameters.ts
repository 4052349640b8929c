import { type ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { z } from 'zod';
import { type UpstreamTurn } from '../upstream-turn.ts';

const format = z.union([
  z.object({ type: z.enum(['text', 'json_object']) }),
  z
    .object({
      type: z.literal('json_schema'),
      json_schema: z.object({
        name: z.string(),
        schema: z.record(z.string(), z.unknown()).default({}),
        strict: z.boolean().nullish(),
        description: z.string().optional(),
      }),
    })
    .transform(({ type, json_schema: { name, schema, strict, description } }) => {
      return { type, name, schema, ...(strict != null && { strict }), ...(description !== undefined && { description }) };
    }),
]);

/** Chat Completions parameters that have an equivalent; invalid values and all others are left out. */
const passed = z.object({
  temperature: z.number().optional().catch(undefined),
  top_p: z.number().optional().catch(undefined),
  max_tokens: z.int().optional().catch(undefined),
  max_completion_tokens: z.int().optional().catch(undefined),
  response_format: format.optional().catch(undefined),
});

/** Converts the parameters of a turn to those of `/responses`; `stop`, `seed` and the penalties have no equivalent there. */
export function toParameters(
  parameters: UpstreamTurn['parameters'],
): Pick<ResponseCreateParamsStreaming, 'temperature' | 'top_p' | 'max_output_tokens' | 'text'> {
  const { temperature, top_p, max_tokens, max_completion_tokens = max_tokens, response_format } = passed.parse(parameters);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_completion_tokens !== undefined && { max_output_tokens: max_completion_tokens }),
    ...(response_format && { text: { format: response_format } }),
  };
}
