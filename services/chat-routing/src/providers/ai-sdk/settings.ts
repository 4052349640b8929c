import { type LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { z } from 'zod';

const number = z.number().optional().catch(undefined);

const parameters = z.object({
  temperature: number,
  top_p: number,
  max_tokens: number,
  max_completion_tokens: number,
  presence_penalty: number,
  frequency_penalty: number,
  seed: number,
  stop: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .optional()
    .catch(undefined),
  response_format: z
    .union([
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({ name: z.string().optional(), description: z.string().optional(), schema: z.looseObject({}).optional() }),
      }),
    ])
    .optional()
    .catch(undefined),
});

type Settings = Omit<LanguageModelV3CallOptions, 'prompt'>;

/**
 * Converts parameters of the Chat Completions API to AI SDK settings. Invalid values are left out; the SDK leaves out what a model does not
 * support.
 */
export function toSettings(passed: Readonly<Record<string, unknown>>): Settings {
  const known = parameters.parse(passed);
  return {
    temperature: known.temperature,
    topP: known.top_p,
    maxOutputTokens: known.max_completion_tokens ?? known.max_tokens,
    presencePenalty: known.presence_penalty,
    frequencyPenalty: known.frequency_penalty,
    seed: known.seed,
    stopSequences: known.stop,
    responseFormat: toFormat(known.response_format),
  };
}

function toFormat(format: z.infer<typeof parameters>['response_format']): Settings['responseFormat'] {
  if (!format) return undefined;
  return { type: 'json', ...(format.type === 'json_schema' && format.json_schema) };
}
