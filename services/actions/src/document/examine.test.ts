import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Edits, LOOK, noteDocument } from '../../test/documents.ts';
import { examine } from './examine.ts';

const findingsOf = (edits: Edits) => examine(noteDocument(edits)).findings;

describe('a document that is right', () => {
  const { slug, findings, published } = examine(noteDocument());

  it('has no findings', () => expect({ slug, findings }).toEqual({ slug: 'keep-note', findings: [] }));

  it('is compiled', () => {
    expect(published?.workflow).toMatchObject({
      slug: 'keep-note',
      title: 'Keep a note',
      description: 'Writes down what it is told.',
      risk: 'write',
      requiresConnection: true,
      fileInputs: ['file'],
      outputs: { note: '$steps.create.outputs.id' },
    });
    expect(published?.workflow.inputs.properties).toMatchObject({
      file: { type: 'object', required: ['asset_id'], description: 'What to read.' },
    });
    const [read, create, look] = published?.workflow.steps ?? [];
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
    expect(findingsOf(edits)).toEqual([{ path, message: expect.stringMatching(message) as unknown }]);
  });
});

describe('what our rules find', () => {
  const STEP = '/workflows/0/steps/1';
  it.each<[string, Edits, string, RegExp]>([
    ['no slug', { '/x-parley-slug': undefined }, '/x-parley-slug', /must name the action/],
    ['a slug that is none', { '/x-parley-slug': 'Keep Note' }, '/x-parley-slug', /must name the action/],
    ['a connection that is no yes or no', { '/x-parley-connection': 'github' }, '/x-parley-connection', /true or false/],
    ['two workflows', { '/workflows/-': { workflowId: 'b', steps: [LOOK] } }, '/workflows/1', /one workflow/],
    ['a workflow that depends on another', { '/workflows/0/dependsOn': ['x'] }, '/workflows/0/dependsOn', /cannot depend/],
    ['components', { '/components': { parameters: {} } }, '/components', /not supported/],
    ['a source that was not given', { '/sourceDescriptions/-': { name: 'other', url: 'x' } }, '/sourceDescriptions/2', /was not given/],
    ['a source twice', { '/sourceDescriptions/-': { name: 'notes', url: 'x' } }, '/sourceDescriptions/2/name', /another source/],
    [
      'an Arazzo source',
      { '/sourceDescriptions/-': { name: 'a', url: 'x', type: 'arazzo' } },
      '/sourceDescriptions/2/type',
      /OpenAPI documents/,
    ],
    ['a source that is no OpenAPI', { 'notes:/openapi': '2.0' }, '/sourceDescriptions/0', /not an OpenAPI 3/],
    ['functions under another url', { '/sourceDescriptions/1/url': 'https://x' }, '/sourceDescriptions/1/url', /parley:functions/],
    [
      'functions under another name',
      { '/sourceDescriptions/-': { name: 'house', url: 'parley:functions' } },
      '/sourceDescriptions/2/name',
      /is called 'parley'/,
    ],
    ['a relative server', { 'notes:/servers': [{ url: '/v1' }] }, '/sourceDescriptions/0', /absolute http/],
    ['a server with a password', { 'notes:/servers': [{ url: 'https://u:p@x/' }] }, '/sourceDescriptions/0', /absolute http/],
    ['a server of another protocol', { 'notes:/servers': [{ url: 'file:///etc' }] }, '/sourceDescriptions/0', /absolute http/],
    ['an unknown operation', { '/workflows/0/steps/1/operationId': 'deleteNote' }, `${STEP}/operationId`, /No source description has/],
    [
      'an operation of another source',
      { '/workflows/0/steps/1/operationId': '$sourceDescriptions.parley.createNote' },
      `${STEP}/operationId`,
      /No source description has/,
    ],
    [
      'an operation of two sources',
      { 'notes:/paths/~1notes/get': { operationId: 'extractText' }, '/workflows/0/steps/0/operationId': 'extractText' },
      '/workflows/0/steps/0/operationId',
      /Several operations/,
    ],
    ['a parameter that is missing', { '/workflows/0/steps/1/parameters': [] }, STEP, /needs the query parameter 'tenant'/],
    [
      'a path parameter that is missing',
      { '/workflows/0/steps/2/parameters': undefined },
      '/workflows/0/steps/2',
      /needs the path parameter 'id'/,
    ],
    [
      'a path parameter too many',
      { '/workflows/0/steps/1/parameters/-': { name: 'x', in: 'path', value: 1 } },
      STEP,
      /has no parameter 'x'/,
    ],
    [
      'a parameter twice',
      { '/workflows/0/steps/1/parameters/-': { name: 'tenant', in: 'query', value: 2 } },
      `${STEP}/parameters/1`,
      /set twice/,
    ],
    ['a parameter in the body', { '/workflows/0/steps/1/parameters/0/in': 'body' }, `${STEP}/parameters/0/in`, /'path', 'query'/],
    [
      'a secret header',
      { '/workflows/0/steps/1/parameters/-': { name: 'Authorization', in: 'header', value: 'x' } },
      `${STEP}/parameters/1/name`,
      /secrets belong/,
    ],
    [
      'parameters of a function',
      { '/workflows/0/steps/0/parameters': [{ name: 'x', in: 'query', value: 1 }] },
      '/workflows/0/steps/0/parameters',
      /has no parameters/,
    ],
    [
      'a function without what it needs',
      { '/workflows/0/steps/0/requestBody/payload': {} },
      '/workflows/0/steps/0/requestBody',
      /needs 'file'/,
    ],
    [
      'a body that cannot be sent',
      { '/workflows/0/steps/1/requestBody/contentType': 'multipart/form-data' },
      `${STEP}/requestBody/contentType`,
      /send JSON/,
    ],
    ['no risk of a writing request', { '/workflows/0/steps/1/x-parley-risk': undefined }, STEP, /x-parley-risk/],
    ['a risk that is none', { '/workflows/0/steps/1/x-parley-risk': 'low' }, `${STEP}/x-parley-risk`, /read, write, irreversible/],
    [
      'an idempotency that is no header',
      { '/workflows/0/steps/1/x-parley-idempotency': true },
      `${STEP}/x-parley-idempotency`,
      /name of a header/,
    ],
    [
      'an idempotency header that is not ours to set',
      { '/workflows/0/steps/1/x-parley-idempotency': 'Host' },
      `${STEP}/x-parley-idempotency`,
      /name of a header/,
    ],
    [
      'an idempotency of a function',
      { '/workflows/0/steps/0/x-parley-idempotency': 'X-Key' },
      '/workflows/0/steps/0/x-parley-idempotency',
      /done once anyway/,
    ],
    ['two steps of one id', { '/workflows/0/steps/2/stepId': 'read' }, '/workflows/0/steps/2/stepId', /another step 'read'/],
    ['a step id with a dot', { '/workflows/0/steps/2/stepId': 'a.b' }, '/workflows/0/steps/2/stepId', /letters, digits/],
    [
      '51 steps',
      { '/workflows/0/steps': Array.from({ length: 51 }, (_, n) => ({ ...LOOK, stepId: `s${n}` })) },
      '/workflows/0/steps',
      /at most 50/,
    ],
    ['a goto that goes back', { '/workflows/0/steps/1/onSuccess/0/stepId': 'read' }, `${STEP}/onSuccess/0/stepId`, /a later step/],
    ['a goto to nowhere', { '/workflows/0/steps/1/onSuccess/0/stepId': 'gone' }, `${STEP}/onSuccess/0/stepId`, /a later step/],
    ['a retry without end', { '/workflows/0/steps/1/onFailure/0/retryLimit': 1_000 }, `${STEP}/onFailure/0/retryLimit`, /at most 10/],
    [
      'a retry that waits for days',
      { '/workflows/0/steps/1/onFailure/0/retryAfter': 86_400 },
      `${STEP}/onFailure/0/retryAfter`,
      /at most 3600/,
    ],
    [
      'an input that is not declared',
      { '/workflows/0/steps/1/requestBody/payload/title': '{$inputs.nope}' },
      `${STEP}/requestBody/payload/title`,
      /not declared/,
    ],
    [
      'a step that is not there',
      { '/workflows/0/outputs/note': '$steps.gone.outputs.x' },
      '/workflows/0/outputs/note',
      /not an earlier step/,
    ],
    [
      'a later step',
      { '/workflows/0/steps/0/requestBody/payload/file': '$steps.create.outputs.id' },
      '/workflows/0/steps/0/requestBody/payload/file',
      /not an earlier step/,
    ],
    [
      'an output that a step does not have',
      { '/workflows/0/outputs/note': '$steps.create.outputs.name' },
      '/workflows/0/outputs/note',
      /does not have/,
    ],
    [
      'an answer before there is one',
      { '/workflows/0/steps/1/requestBody/payload/title': '$response.body' },
      `${STEP}/requestBody/payload/title`,
      /there is none here/,
    ],
    [
      'an expression we do not have',
      { '/workflows/0/steps/1/outputs/id': '$request.body' },
      `${STEP}/outputs/id`,
      /not a runtime expression/,
    ],
    ['an output that is a text', { '/workflows/0/outputs/note': 'text' }, '/workflows/0/outputs/note', /not a runtime expression/],
    [
      'a condition that cannot be read',
      { '/workflows/0/steps/1/successCriteria/0/condition': '$statusCode = 1' },
      `${STEP}/successCriteria/0/condition`,
      /cannot be read/,
    ],
    [
      'a condition on what is not there',
      { '/workflows/0/steps/1/successCriteria/0/condition': '$inputs.x == 1' },
      `${STEP}/successCriteria/0/condition`,
      /not declared/,
    ],
    [
      'a JSONPath that is none',
      { '/workflows/0/steps/1/successCriteria/1/condition': '$[' },
      `${STEP}/successCriteria/1/condition`,
      /JSONPath cannot be used/,
    ],
    [
      'a pattern that looks around',
      { '/workflows/0/steps/1/successCriteria/2/condition': '(?=a)' },
      `${STEP}/successCriteria/2/condition`,
      /RE2/,
    ],
    [
      'XPath',
      { '/workflows/0/steps/1/successCriteria/1/type': 'xpath' },
      `${STEP}/successCriteria/1/type`,
      /'simple', 'regex' or 'jsonpath'/,
    ],
    ['inputs that are no object', { '/workflows/0/inputs/type': 'array' }, '/workflows/0/inputs', /type 'object'/],
    [
      'an input without a type',
      { '/workflows/0/inputs/properties/text/type': undefined },
      '/workflows/0/inputs/properties/text',
      /says its 'type'/,
    ],
    [
      'an input schema that refers elsewhere',
      { '/workflows/0/inputs/properties/tags/items': { $ref: 'https://x.example/s.json' } },
      '/workflows/0/inputs',
      /cannot be used/,
    ],
    [
      'an input pattern that looks around',
      { '/workflows/0/inputs/properties/text/pattern': '(?=a)a' },
      '/workflows/0/inputs',
      /cannot be used/,
    ],
    [
      'a replacement',
      { '/workflows/0/steps/1/requestBody/replacements': [{ target: '/a', value: 'b' }] },
      `${STEP}/requestBody/replacements`,
      /not supported/,
    ],
  ])('%s', (_name, edits, path, message) => {
    expect(findingsOf(edits)).toContainEqual({ path, message: expect.stringMatching(message) as unknown });
    expect(examine(noteDocument(edits)).published).toBeUndefined();
  });

  it.each([
    ['', 'The document is not JSON.'],
    ['{', 'The document is not JSON.'],
    [`"${'x'.repeat(1_048_576)}"`, 'The document has more than 1 MiB.'],
    [`${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'The document is nested more than 64 deep.'],
    [`{"workflows":[${'1,'.repeat(1_000)}1]}`, 'A list of the document has more than 1000 items.'],
  ])('a text that is no document', (document, message) => {
    expect(examine({ document, sources: {} })).toEqual({ slug: '', findings: [{ path: '', message }], published: undefined });
  });

  it('tells at most 100 things', () => {
    const outputs = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`o${n}`, 'text']));
    const findings = findingsOf({ '/workflows/0/outputs': outputs });
    expect(findings).toHaveLength(100);
  });

  it('never throws, whatever the document', () => {
    fc.assert(fc.property(fc.json(), fc.json(), (document, notes) => Array.isArray(examine({ document, sources: { notes } }).findings)));
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
    fc.assert(fc.property(places, fc.jsonValue(), (place, value) => Array.isArray(findingsOf({ [place]: value }))));
  });
});
