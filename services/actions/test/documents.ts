import { type SubmittedDocument } from '../src/document/check-document.ts';

/** New values by JSON Pointer; `undefined` takes away, `/-` appends, and `notes:` before it means the source. */
export type Edits = Readonly<Record<string, unknown>>;

/** An API of notes. */
const NOTES = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  servers: [{ url: 'https://{region}.notes.example/v1/', variables: { region: { default: 'eu' } } }],
  components: { parameters: { Tenant: { name: 'tenant', in: 'query', required: true, schema: { type: 'string' } } } },
  paths: {
    '/notes': {
      parameters: [{ $ref: '#/components/parameters/Tenant' }],
      post: { operationId: 'createNote' },
      get: { operationId: 'listNotes' },
    },
    '/notes/{id}': { get: { operationId: 'getNote' } },
  },
};

const DOCUMENT = {
  arazzo: '1.0.1',
  info: { title: 'Keep a note', description: 'Stores a note.', version: '1.0.0' },
  'x-parley-slug': 'keep-note',
  'x-parley-connection': true,
  sourceDescriptions: [
    { name: 'notes', url: './notes.openapi.json', type: 'openapi' },
    { name: 'parley', url: 'parley:functions', type: 'openapi' },
  ],
  workflows: [
    {
      workflowId: 'keep-note',
      inputs: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string', minLength: 1, description: 'What to write down.' },
          file: { 'x-parley-asset': true, description: 'What to read.' },
          tags: {
            type: 'array',
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern: '^[a-z]+$' } } },
          },
        },
      },
      steps: [
        {
          stepId: 'read',
          operationId: '$sourceDescriptions.parley.extractText',
          requestBody: { payload: { file: '$inputs.file' } },
          outputs: { text: '$response.body#/text' },
        },
        {
          stepId: 'create',
          operationId: '$sourceDescriptions.notes.createNote',
          'x-parley-risk': 'write',
          'x-parley-idempotency': 'Idempotency-Key',
          parameters: [{ name: 'tenant', in: 'query', value: 't1' }],
          requestBody: { contentType: 'application/json', payload: { title: 'Of {$inputs.text}', body: '$steps.read.outputs.text' } },
          successCriteria: [
            { condition: '$statusCode == 201' },
            { context: '$response.body', type: 'jsonpath', condition: '$[?@.id]' },
            { context: '$response.header.Location', type: 'regex', condition: '^/notes/' },
          ],
          outputs: { id: '$response.body#/id' },
          onFailure: [
            { name: 'again', type: 'retry', retryAfter: 2, retryLimit: 3, criteria: [{ condition: '$statusCode == 503' }] },
            { name: 'stop', type: 'end' },
          ],
          onSuccess: [{ name: 'done', type: 'goto', stepId: 'look' }],
        },
        {
          stepId: 'look',
          operationId: '$sourceDescriptions.notes.getNote',
          parameters: [{ name: 'id', in: 'path', value: '$steps.create.outputs.id' }],
        },
      ],
      outputs: { note: '$steps.create.outputs.id' },
    },
  ],
};

/** One of the document's steps. */
export const LOOK = DOCUMENT.workflows[0]?.steps[2];

/** A document that is right in every way, and its source; or a copy with something changed. */
export function noteDocument(edits: Edits = {}): SubmittedDocument {
  const [document, notes] = structuredClone([DOCUMENT, NOTES]);
  for (const [place, value] of Object.entries(edits)) {
    const [target, path] = place.startsWith('notes:') ? [notes, place.slice(6)] : [document, place];
    edit(
      target,
      path
        .split('/')
        .slice(1)
        .map((token) => token.replaceAll('~1', '/')),
      value,
    );
  }
  return { document: JSON.stringify(document), sources: { notes: JSON.stringify(notes) } };
}

function edit(target: unknown, names: readonly string[], value: unknown): void {
  const parent = names.slice(0, -1).reduce((at, name) => (at as Record<string, unknown>)[name], target) as Record<string, unknown>;
  const last = names.at(-1) ?? '';
  if (last === '-') (parent as unknown as unknown[]).push(value);
  else if (value === undefined) delete parent[last];
  else parent[last] = value;
}
