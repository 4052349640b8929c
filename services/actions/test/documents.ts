import { type JsonValue } from '../src/domain/json.ts';
import { type SentDocument } from '../src/document/examine.ts';

type Changeable = { [name: string]: Changeable } & Changeable[];

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
  info: { title: 'Keep a note', description: 'Writes down what it is told.', version: '1.0.0' },
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

/** A document that is right in every way, and its source; changed in a copy if wanted. */
export function noteDocument(change: (document: Changeable, source: Changeable) => void = () => undefined): SentDocument {
  const [document, source] = structuredClone([DOCUMENT, NOTES]) as unknown as [Changeable, Changeable];
  change(document, source);
  return { document: JSON.stringify(document), sources: { notes: JSON.stringify(source) } };
}

/** The document without what makes it different each time it is changed. */
export const NOTE_SLUG: JsonValue = DOCUMENT['x-parley-slug'];
