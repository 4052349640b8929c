import { type ActionDocument } from '../queries/documents.ts';

/** The document of a text, or why the text is not a JSON object. */
export type ParsedDocument = { document: Record<string, unknown> } | { broken: string };

/** Parses a text as a JSON object. */
export function parseDocument(text: string): ParsedDocument {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { document: value } : { broken: '' };
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  }
}

/** The names of the OpenAPI documents that a document needs; the gateway's own functions are none. */
export function sourceNames(document: Record<string, unknown>): string[] {
  const sources = document['sourceDescriptions'];
  if (!Array.isArray(sources)) return [];
  return sources.filter(isRecord).flatMap(({ name, url }) => (typeof name === 'string' && url !== 'parley:functions' ? [name] : []));
}

/** An OpenAPI document that was opened, and the server that is used in place of its own. */
export interface OpenApiSource {
  fileName: string;
  document: Record<string, unknown>;
  server: string;
}

/** Returns the URL of the first server of an OpenAPI document; empty without one. */
export function findServerUrl(document: Record<string, unknown>): string {
  const servers = document['servers'];
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  return isRecord(first) && typeof first['url'] === 'string' ? first['url'] : '';
}

/** Formats a document for the editor. */
export function formatDocument(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Converts the OpenAPI documents of a published version; `fileName` names their origin. */
export function toOpenApiSources(
  published: Readonly<Record<string, Record<string, unknown>>>,
  fileName: string,
): Record<string, OpenApiSource> {
  return Object.fromEntries(
    Object.entries(published).map(([name, document]) => [name, { fileName, document, server: findServerUrl(document) }]),
  );
}

/** Finds the JSON Schema of the inputs of an action in its document; undefined without inputs. */
export function findInputSchema(document: Record<string, unknown>): Record<string, unknown> | undefined {
  const { workflows } = document;
  const first: unknown = Array.isArray(workflows) ? workflows[0] : undefined;
  const inputs = isRecord(first) ? first['inputs'] : undefined;
  return isRecord(inputs) ? inputs : undefined;
}

/** Returns what is sent to the gateway: the document, and those of the opened sources that it names. */
export function toActionDocument(document: Record<string, unknown>, sources: Readonly<Record<string, OpenApiSource>>): ActionDocument {
  const named = sourceNames(document).flatMap((name) => {
    const source = sources[name];
    if (!source) return [];
    const { server } = source;
    const own = server === findServerUrl(source.document);
    return [[name, own ? source.document : { ...source.document, servers: [{ url: server }] }] as const];
  });
  return { document, sources: Object.fromEntries(named) };
}

/** Creates a small document that can be published as it is. */
export function createSampleDocument(slug: string): string {
  const document = {
    arazzo: '1.0.1',
    info: { title: 'Ask in one sentence', summary: 'Answers a question in one sentence.', version: '1.0.0' },
    'x-parley-slug': slug,
    sourceDescriptions: [{ name: 'parley', url: 'parley:functions', type: 'openapi' }],
    workflows: [
      {
        workflowId: slug,
        inputs: {
          type: 'object',
          required: ['question'],
          properties: { question: { type: 'string', minLength: 1, description: 'What is asked.' } },
        },
        steps: [
          {
            stepId: 'ask',
            operationId: 'chat',
            requestBody: {
              payload: {
                model: 'auto',
                messages: [{ role: 'user', content: 'Answer in one sentence: {$inputs.question}' }],
              },
            },
            successCriteria: [{ condition: '$statusCode == 200' }],
            outputs: { answer: '$response.body#/choices/0/message/content' },
          },
        ],
        outputs: { answer: '$steps.ask.outputs.answer' },
      },
    ],
  };
  return formatDocument(document);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
