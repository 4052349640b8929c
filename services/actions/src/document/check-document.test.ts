import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Edits, noteDocument } from '../../test/documents.ts';
import { checkDocument } from './check-document.ts';

const toFindings = (edits: Edits) => checkDocument(noteDocument(edits)).findings;

describe('a document that is right', () => {
  const { slug, findings, compilation } = checkDocument(noteDocument());

  it('has no findings', () => expect({ slug, findings }).toEqual({ slug: 'keep-note', findings: [] }));

  it('is compiled', () => {
    expect(compilation?.workflow).toMatchObject({
      slug: 'keep-note',
      title: 'Keep a note',
      description: 'Stores a note.',
      risk: 'write',
      requiresConnection: true,
      fileInputs: ['file'],
      outputs: { note: '$steps.create.outputs.id' },
    });
    expect(compilation?.workflow.inputs.properties).toMatchObject({
      file: { type: 'object', required: ['asset_id'], description: 'What to read.' },
    });
    const [read, create, look] = compilation?.workflow.steps ?? [];
    expect(read).toMatchObject({
      id: 'read',
      risk: 'read',
      operation: { kind: 'parley', name: 'extractText' },
      idempotencyHeader: undefined,
    });
    expect(create).toEqual({
      id: 'create',
      description: '',
      risk: 'write',
      operation: { kind: 'http', method: 'POST', url: 'https://eu.notes.example/v1/notes' },
      parameters: [{ name: 'tenant', in: 'query', value: 't1' }],
      payload: { title: 'Of {$inputs.text}', body: '$steps.read.outputs.text' },
      contentType: 'application/json',
      idempotencyHeader: 'Idempotency-Key',
      successCriteria: [
        { type: 'simple', condition: '$statusCode == 201', context: undefined },
        { type: 'jsonpath', condition: '$[?@.id]', context: '$response.body' },
        { type: 'regex', condition: '^/notes/', context: '$response.header.Location' },
      ],
      outputs: { id: '$response.body#/id' },
      onSuccess: [{ type: 'goto', stepId: 'look', criteria: [] }],
      onFailure: [
        {
          type: 'retry',
          stepId: undefined,
          retryAfter: 2,
          retryLimit: 3,
          criteria: [{ type: 'simple', condition: '$statusCode == 503', context: undefined }],
        },
        { type: 'end', stepId: undefined, retryAfter: 0, retryLimit: 1, criteria: [] },
      ],
    });
    expect(look?.operation).toEqual({ kind: 'http', method: 'GET', url: 'https://eu.notes.example/v1/notes/{id}' });
  });
});

describe('what the official schema finds', () => {
  it.each<[string, Edits, string, RegExp]>([
    ['a missing field', { '/info/version': undefined }, '/info', /'version' is missing/],
    ['an unknown field', { '/workflows/0/stepz': 1 }, '/workflows/0/stepz', /no field 'stepz'/],
    ['another version', { '/arazzo': '2.0.0' }, '/arazzo', /pattern/],
    ['a wrong type', { '/workflows/0/steps/1/outputs/id': 1 }, '/workflows/0/steps/1/outputs/id', /must be string/],
    ['a step that calls nothing', { '/workflows/0/steps/0/operationId': undefined }, '/workflows/0/steps/0', /exactly one of/],
    ['a step that calls two things', { '/workflows/0/steps/0/workflowId': 'x' }, '/workflows/0/steps/0', /exactly one of/],
    [
      'an unknown kind of action',
      { '/workflows/0/steps/1/onFailure/0/type': 'panic' },
      '/workflows/0/steps/1/onFailure/0/type',
      /one of end, goto, retry/,
    ],
    ['a workflow without its id', { '/workflows/0/workflowId': undefined }, '/workflows/0', /'workflowId' is missing/],
    ['a step without its id', { '/workflows/0/steps/0/stepId': undefined }, '/workflows/0/steps/0', /'stepId' is missing/],
    ['an empty list', { '/workflows': [] }, '/workflows', /fewer than 1/],
    [
      'a criterion without its condition',
      { '/workflows/0/steps/1/successCriteria/0/condition': undefined },
      '/workflows/0/steps/1/successCriteria/0',
      /'condition' is missing/,
    ],
  ])('%s', (_name, edits, path, message) => {
    expect(toFindings(edits)).toEqual([{ path, message: expect.stringMatching(message) as unknown }]);
  });
});

describe('whatever is sent', () => {
  it.each([
    ['', 'The document is not JSON.'],
    ['{', 'The document is not JSON.'],
    [`"${'x'.repeat(1_048_576)}"`, 'The document has more than 1 MiB.'],
    [`${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'The document is nested more than 64 deep.'],
    [`{"workflows":[${'1,'.repeat(1_000)}1]}`, 'A list of the document has more than 1000 items.'],
  ])('a text that is no document', (document, message) => {
    expect(checkDocument({ document, sources: {} })).toEqual({ slug: '', findings: [{ path: '', message }], compilation: undefined });
  });

  it('reports at most 100 findings', () => {
    const outputs = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`o${n}`, 'text']));
    const findings = toFindings({ '/workflows/0/outputs': outputs });
    expect(findings).toHaveLength(100);
  });

  it('never throws, whatever the document', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (document, notes) => Array.isArray(checkDocument({ document, sources: { notes } }).findings)),
    );
  });

  it('never throws, whatever stands somewhere in a right one', () => {
    const places = fc.constantFrom(
      '/workflows/0/inputs',
      '/workflows/0/inputs/properties/file',
      '/workflows/0/steps/1/successCriteria/0/type',
      '/workflows/0/steps/1/requestBody/payload',
      '/workflows/0/steps/1/parameters',
      '/workflows/0/outputs/note',
      '/sourceDescriptions',
      'notes:/servers',
      'notes:/paths',
    );
    fc.assert(fc.property(places, fc.jsonValue(), (place, value) => Array.isArray(toFindings({ [place]: value }))));
  });
});
