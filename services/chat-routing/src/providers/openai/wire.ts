import { z } from 'zod';

const usage = z.object({ input_tokens: z.number(), output_tokens: z.number() });

const ended = z.object({
  response: z.object({
    error: z.object({ code: z.string() }).nullish(),
    incomplete_details: z.object({ reason: z.string().optional() }).nullish(),
    // Counts that are none are counted by ourselves.
    usage: usage.nullish().catch(null),
    model: z.string().optional().catch(undefined),
  }),
});

const delta = z.object({ item_id: z.string(), delta: z.string() });
const begun = z.object({ response: z.object({ id: z.string().min(1) }) });

/** A file that code of the upstream wrote, as the answer cites it. */
const citation = z.object({
  type: z.literal('container_file_citation'),
  container_id: z.string().min(1),
  file_id: z.string().min(1),
  filename: z.string(),
});

/** What is read of an item of an answer: everything else of it is the upstream's own business. */
export const outputItem = z.object({
  id: z.string().min(1),
  type: z.string(),
  status: z.string().optional(),
  /** An image in base64. */
  result: z.unknown().optional(),
  content: z
    .array(z.object({ annotations: z.array(z.unknown()).optional() }))
    .catch([])
    .optional(),
});

export type OutputItem = z.infer<typeof outputItem>;

/** Events of a streamed answer that are read, by their types; the others are ignored. */
export const events = {
  'response.created': begun,
  'response.queued': begun,
  'response.output_text.delta': delta,
  'response.refusal.delta': delta,
  'response.reasoning_summary_text.delta': delta,
  'response.reasoning_text.delta': delta,
  'response.output_item.done': z.object({ item: outputItem }),
  'response.completed': ended,
  'response.incomplete': ended,
  'response.failed': ended,
  error: z.object({ code: z.string().nullish() }),
};

/** Files that an item cites. */
export function listCitations({ content = [] }: OutputItem): z.infer<typeof citation>[] {
  return content.flatMap(({ annotations = [] }) =>
    annotations.flatMap((one) => {
      const parsed = citation.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

/** An answer as the upstream keeps it. */
export const storedResponse = z.object({ status: z.string(), output: z.array(outputItem) });
