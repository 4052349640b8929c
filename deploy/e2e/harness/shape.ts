import { z } from 'zod';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** An OpenAPI document, as far as a test looks into it. */
export const openApi = z.looseObject({
  openapi: z.string().startsWith('3.1'),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        security: z.array(z.record(z.string(), z.array(z.string()))),
        parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
        requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }).optional(),
        responses: z.record(
          z.string(),
          z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })).optional() }),
        ),
      }),
    ),
  ),
});

/** A described API. */
export type OpenApi = z.infer<typeof openApi>;

/** The validator of a schema of the document, with what it refers to. */
export function validatorOf(document: OpenApi, schema: unknown): z.ZodType {
  return z.fromJSONSchema(resolved(document, schema as Json) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** The schema with every `$ref` replaced by what it points to; the document has no circles. */
function resolved(document: OpenApi, node: Json): Json {
  if (Array.isArray(node)) return node.map((item) => resolved(document, item));
  if (typeof node !== 'object' || node === null) return node;
  if (typeof node['$ref'] === 'string') return resolved(document, pointed(document, node['$ref']));
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(document, value)]));
}

function pointed(document: OpenApi, reference: string): Json {
  let node: Json | undefined = document as Json;
  for (const name of reference.replace(/^#\//, '').split('/')) node = (node as Record<string, Json> | undefined)?.[name];
  if (node === undefined) throw new Error(`${reference} points nowhere`);
  return node;
}
