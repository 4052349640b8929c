import { type ActionDocument } from '@parley/protos/actions/v1/actions';
import { z } from 'zod';

const json = z.record(z.string(), z.unknown());

/** The document of an action with the OpenAPI documents of its source descriptions, as a request body. */
export const actionDocumentBody = z
  .object({
    document: json.meta({ description: 'Arazzo 1.0.x.' }),
    sources: z.record(z.string(), json).default({}).meta({ description: 'OpenAPI 3 documents, by the name of their source description.' }),
  })
  .meta({ id: 'ActionDocument' });

/** Converts the document to its gRPC message. */
export function toActionDocument({ document, sources }: z.output<typeof actionDocumentBody>): ActionDocument {
  const texts = Object.entries(sources).map(([name, source]) => [name, JSON.stringify(source)] as const);
  return { document: JSON.stringify(document), sources: Object.fromEntries(texts) };
}
