import { z } from 'zod';

const usage = z.object({ input_tokens: z.number(), output_tokens: z.number() });

const ended = z.object({
  response: z.object({
    error: z.object({ code: z.string() }).nullish(),
    incomplete_details: z.object({ reason: z.string().optional() }).nullish(),
    // With invalid counts, the gateway counts the tokens itself.
    usage: usage.nullish().catch(null),
    model: z.string().optional().catch(undefined),
  }),
});

const delta = z.object({ item_id: z.string(), delta: z.string() });
const begun = z.object({ response: z.object({ id: z.string().min(1) }) });

/** Citation of a file that the code interpreter wrote. */
const citation = z.object({
  type: z.literal('container_file_citation'),
  container_id: z.string().min(1),
  file_id: z.string().min(1),
  filename: z.string(),
});

/** The fields of an output item that are read. */
export const outputItemSchema = z.object({
  id: z.string().min(1),
  type: z.string(),
  status: z.string().optional(),
  /** Base64 of an image. */
  result: z.unknown().optional(),
  content: z
    .array(z.object({ annotations: z.array(z.unknown()).optional() }))
    .catch([])
    .optional(),
});

/** A parsed `outputItemSchema`. */
export type OutputItem = z.infer<typeof outputItemSchema>;

/** Schemas of the stream events that are read, by type; other events are ignored. */
export const eventSchemas = {
  'response.created': begun,
  'response.queued': begun,
  'response.output_text.delta': delta,
  'response.refusal.delta': delta,
  'response.reasoning_summary_text.delta': delta,
  'response.reasoning_text.delta': delta,
  'response.output_item.done': z.object({ item: outputItemSchema }),
  'response.completed': ended,
  'response.incomplete': ended,
  'response.failed': ended,
  error: z.object({ code: z.string().nullish() }),
};

/** Returns the container files that an item cites. */
export function listContainerFileCitations({ content = [] }: OutputItem): z.infer<typeof citation>[] {
  return content.flatMap(({ annotations = [] }) =>
    annotations.flatMap((one) => {
      const parsed = citation.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

/** A response as retrieved from the upstream. */
export const storedResponseSchema = z.object({ status: z.string(), output: z.array(outputItemSchema) });
