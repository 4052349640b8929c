import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { noteDocument } from '../../test/documents.ts';
import { examine } from './examine.ts';

type Change = NonNullable<Parameters<typeof noteDocument>[0]>;

const findingsOf = (change: Change) => examine(noteDocument(change)).findings;
const set = (value: unknown) => value as never;

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
  it.each<[string, Change, string, RegExp]>([
    ['a missing field', (d) => delete d.info.version, '/info', /'version' is missing/],
    ['an unknown field', (d) => (d.workflows[0].stepz = set(1)), '/workflows/0/stepz', /no field 'stepz'/],
    ['another version', (d) => (d.arazzo = set('2.0.0')), '/arazzo', /pattern/],
    ['a wrong type', (d) => (d.workflows[0].steps[1].outputs.id = set(1)), '/workflows/0/steps/1/outputs/id', /must be string/],
    ['a step that calls nothing', (d) => delete d.workflows[0].steps[0].operationId, '/workflows/0/steps/0', /exactly one of/],
    ['a step that calls two things', (d) => (d.workflows[0].steps[0].workflowId = set('x')), '/workflows/0/steps/0', /exactly one of/],
    [
      'an unknown kind of action',
      (d) => (d.workflows[0].steps[1].onFailure[0].type = set('panic')),
      '/workflows/0/steps/1/onFailure/0/type',
      /one of end, goto, retry/,
    ],
    ['a workflow without its id', (d) => delete d.workflows[0].workflowId, '/workflows/0', /'workflowId' is missing/],
    ['a step without its id', (d) => delete d.workflows[0].steps[0].stepId, '/workflows/0/steps/0', /'stepId' is missing/],
    ['an empty list', (d) => (d.workflows = set([])), '/workflows', /fewer than 1/],
    [
      'a criterion without its condition',
      (d) => delete d.workflows[0].steps[1].successCriteria[0].condition,
      '/workflows/0/steps/1/successCriteria/0',
      /'condition' is missing/,
    ],
  ])('%s', (_name, change, path, message) => {
    expect(findingsOf(change)).toEqual([{ path, message: expect.stringMatching(message) as string }]);
  });
});

describe('what our rules find', () => {
  const STEP = '/workflows/0/steps/1';
  it.each<[string, Change, string, RegExp]>([
    ['no slug', (d) => delete d['x-parley-slug'], '/x-parley-slug', /must name the action/],
    ['a slug that is none', (d) => (d['x-parley-slug'] = set('Keep Note')), '/x-parley-slug', /must name the action/],
    ['a connection that is no yes or no', (d) => (d['x-parley-connection'] = set('github')), '/x-parley-connection', /true or false/],
    ['two workflows', (d) => d.workflows.push(set({ ...d.workflows[0], workflowId: 'b' })), '/workflows/1', /one workflow/],
    ['a workflow that depends on another', (d) => (d.workflows[0].dependsOn = set(['x'])), '/workflows/0/dependsOn', /cannot depend/],
    ['components', (d) => (d.components = set({ parameters: {} })), '/components', /not supported/],
    [
      'a source that was not given',
      (d) => d.sourceDescriptions.push(set({ name: 'other', url: 'x' })),
      '/sourceDescriptions/2',
      /was not given/,
    ],
    ['a source twice', (d) => d.sourceDescriptions.push(set({ name: 'notes', url: 'x' })), '/sourceDescriptions/2/name', /another source/],
    [
      'an Arazzo source',
      (d) => d.sourceDescriptions.push(set({ name: 'a', url: 'x', type: 'arazzo' })),
      '/sourceDescriptions/2/type',
      /OpenAPI documents/,
    ],
    ['a source that is no OpenAPI', (d, source) => (source.openapi = set('2.0')), '/sourceDescriptions/0', /not an OpenAPI 3/],
    [
      'functions under another url',
      (d) => (d.sourceDescriptions[1].url = set('https://x')),
      '/sourceDescriptions/1/url',
      /parley:functions/,
    ],
    [
      'functions under another name',
      (d) => d.sourceDescriptions.push(set({ name: 'house', url: 'parley:functions' })),
      '/sourceDescriptions/2/name',
      /is called 'parley'/,
    ],
    ['a relative server', (d, source) => (source.servers = set([{ url: '/v1' }])), '/sourceDescriptions/0', /absolute http/],
    [
      'a server with a password',
      (d, source) => (source.servers = set([{ url: 'https://u:p@x/' }])),
      '/sourceDescriptions/0',
      /absolute http/,
    ],
    [
      'a server of another protocol',
      (d, source) => (source.servers = set([{ url: 'file:///etc' }])),
      '/sourceDescriptions/0',
      /absolute http/,
    ],
    [
      'an unknown operation',
      (d) => (d.workflows[0].steps[1].operationId = set('deleteNote')),
      `${STEP}/operationId`,
      /No source description has/,
    ],
    [
      'an operation of another source',
      (d) => (d.workflows[0].steps[1].operationId = set('$sourceDescriptions.parley.createNote')),
      `${STEP}/operationId`,
      /No source description has/,
    ],
    [
      'an operation of two sources',
      (d, source) => {
        source.paths['/notes'].get = set({ operationId: 'extractText' });
        d.workflows[0].steps[0].operationId = set('extractText');
      },
      '/workflows/0/steps/0/operationId',
      /Several operations/,
    ],
    ['a parameter that is missing', (d) => (d.workflows[0].steps[1].parameters = set([])), STEP, /needs the query parameter 'tenant'/],
    [
      'a path parameter that is missing',
      (d) => delete d.workflows[0].steps[2].parameters,
      '/workflows/0/steps/2',
      /needs the path parameter 'id'/,
    ],
    [
      'a path parameter too many',
      (d) => d.workflows[0].steps[1].parameters.push(set({ name: 'x', in: 'path', value: 1 })),
      STEP,
      /has no parameter 'x'/,
    ],
    [
      'a parameter twice',
      (d) => d.workflows[0].steps[1].parameters.push(set({ name: 'tenant', in: 'query', value: 2 })),
      `${STEP}/parameters/1`,
      /set twice/,
    ],
    [
      'a parameter in the body',
      (d) => (d.workflows[0].steps[1].parameters[0].in = set('body')),
      `${STEP}/parameters/0/in`,
      /'path', 'query'/,
    ],
    [
      'a secret header',
      (d) => d.workflows[0].steps[1].parameters.push(set({ name: 'Authorization', in: 'header', value: 'x' })),
      `${STEP}/parameters/1/name`,
      /secrets belong/,
    ],
    [
      'parameters of a function',
      (d) => (d.workflows[0].steps[0].parameters = set([{ name: 'x', in: 'query', value: 1 }])),
      '/workflows/0/steps/0/parameters',
      /has no parameters/,
    ],
    ['no risk of a writing request', (d) => delete d.workflows[0].steps[1]['x-parley-risk'], STEP, /x-parley-risk/],
    [
      'a risk that is none',
      (d) => (d.workflows[0].steps[1]['x-parley-risk'] = set('low')),
      `${STEP}/x-parley-risk`,
      /read, write, irreversible/,
    ],
    [
      'an idempotency that is no header',
      (d) => (d.workflows[0].steps[1]['x-parley-idempotency'] = set(true)),
      `${STEP}/x-parley-idempotency`,
      /name of a header/,
    ],
    [
      'an idempotency header that is not ours to set',
      (d) => (d.workflows[0].steps[1]['x-parley-idempotency'] = set('Host')),
      `${STEP}/x-parley-idempotency`,
      /name of a header/,
    ],
    [
      'an idempotency of a function',
      (d) => (d.workflows[0].steps[0]['x-parley-idempotency'] = set('X-Key')),
      '/workflows/0/steps/0/x-parley-idempotency',
      /done once anyway/,
    ],
    ['two steps of one id', (d) => (d.workflows[0].steps[2].stepId = set('read')), '/workflows/0/steps/2/stepId', /another step 'read'/],
    ['a step id with a dot', (d) => (d.workflows[0].steps[2].stepId = set('a.b')), '/workflows/0/steps/2/stepId', /letters, digits/],
    [
      '51 steps',
      (d) => {
        for (let n = 3; n < 51; n += 1) d.workflows[0].steps.push(set({ ...d.workflows[0].steps[2], stepId: `s${n}` }));
      },
      '/workflows/0/steps',
      /at most 50/,
    ],
    [
      'a goto that goes back',
      (d) => (d.workflows[0].steps[1].onSuccess[0].stepId = set('read')),
      `${STEP}/onSuccess/0/stepId`,
      /a later step/,
    ],
    ['a goto to nowhere', (d) => (d.workflows[0].steps[1].onSuccess[0].stepId = set('gone')), `${STEP}/onSuccess/0/stepId`, /a later step/],
    [
      'a retry without end',
      (d) => (d.workflows[0].steps[1].onFailure[0].retryLimit = set(1_000)),
      `${STEP}/onFailure/0/retryLimit`,
      /at most 10/,
    ],
    [
      'a retry that waits for days',
      (d) => (d.workflows[0].steps[1].onFailure[0].retryAfter = set(86_400)),
      `${STEP}/onFailure/0/retryAfter`,
      /at most 3600/,
    ],
    [
      'an input that is not declared',
      (d) => (d.workflows[0].steps[1].requestBody.payload.title = set('{$inputs.nope}')),
      `${STEP}/requestBody/payload/title`,
      /not declared/,
    ],
    [
      'a step that is not there',
      (d) => (d.workflows[0].outputs.note = set('$steps.gone.outputs.x')),
      '/workflows/0/outputs/note',
      /not an earlier step/,
    ],
    [
      'a later step',
      (d) => (d.workflows[0].steps[0].requestBody.payload.file = set('$steps.create.outputs.id')),
      '/workflows/0/steps/0/requestBody/payload/file',
      /not an earlier step/,
    ],
    [
      'an output that a step does not have',
      (d) => (d.workflows[0].outputs.note = set('$steps.create.outputs.name')),
      '/workflows/0/outputs/note',
      /does not have/,
    ],
    [
      'an answer before there is one',
      (d) => (d.workflows[0].steps[1].requestBody.payload.title = set('$response.body')),
      `${STEP}/requestBody/payload/title`,
      /there is none here/,
    ],
    [
      'an expression we do not have',
      (d) => (d.workflows[0].steps[1].outputs.id = set('$request.body')),
      `${STEP}/outputs/id`,
      /not a runtime expression/,
    ],
    [
      'an output that is a text',
      (d) => (d.workflows[0].outputs.note = set('text')),
      '/workflows/0/outputs/note',
      /not a runtime expression/,
    ],
    [
      'a condition that cannot be read',
      (d) => (d.workflows[0].steps[1].successCriteria[0].condition = set('$statusCode = 1')),
      `${STEP}/successCriteria/0/condition`,
      /cannot be read/,
    ],
    [
      'a condition on what is not there',
      (d) => (d.workflows[0].steps[1].successCriteria[0].condition = set('$inputs.x == 1')),
      `${STEP}/successCriteria/0/condition`,
      /not declared/,
    ],
    [
      'a JSONPath that is none',
      (d) => (d.workflows[0].steps[1].successCriteria[1].condition = set('$[')),
      `${STEP}/successCriteria/1/condition`,
      /JSONPath cannot be used/,
    ],
    [
      'a pattern that looks around',
      (d) => (d.workflows[0].steps[1].successCriteria[2].condition = set('(?=a)')),
      `${STEP}/successCriteria/2/condition`,
      /RE2/,
    ],
    [
      'XPath',
      (d) => (d.workflows[0].steps[1].successCriteria[1].type = set('xpath')),
      `${STEP}/successCriteria/1/type`,
      /'simple', 'regex' or 'jsonpath'/,
    ],
    ['inputs that are no object', (d) => (d.workflows[0].inputs.type = set('array')), '/workflows/0/inputs', /type 'object'/],
    [
      'an input without a type',
      (d) => delete d.workflows[0].inputs.properties.text.type,
      '/workflows/0/inputs/properties/text',
      /says its 'type'/,
    ],
    [
      'an input schema that refers elsewhere',
      (d) => (d.workflows[0].inputs.properties.tags.items = set({ $ref: 'https://x.example/s.json' })),
      '/workflows/0/inputs',
      /cannot be used/,
    ],
    [
      'an input pattern that looks around',
      (d) => (d.workflows[0].inputs.properties.text.pattern = set('(?=a)a')),
      '/workflows/0/inputs',
      /cannot be used/,
    ],
    [
      'a replacement',
      (d) => (d.workflows[0].steps[1].requestBody.replacements = set([{ target: '/a', value: 'b' }])),
      `${STEP}/requestBody/replacements`,
      /not supported/,
    ],
  ])('%s', (_name, change, path, message) => {
    expect(findingsOf(change)).toContainEqual({ path, message: expect.stringMatching(message) as string });
    expect(examine(noteDocument(change)).published).toBeUndefined();
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
    const findings = findingsOf((d) => {
      d.workflows[0].outputs = set(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`o${n}`, 'text'])));
    });
    expect(findings).toHaveLength(100);
  });

  it('never throws, whatever the document', () => {
    fc.assert(fc.property(fc.json(), fc.json(), (document, notes) => Array.isArray(examine({ document, sources: { notes } }).findings)));
  });

  it('never throws, whatever stands somewhere in a right one', () => {
    const places = fc.constantFrom<Change>(
      ...[
        ['workflows', 0, 'inputs'],
        ['workflows', 0, 'inputs', 'properties', 'file'],
        ['workflows', 0, 'steps', 1, 'successCriteria', 0, 'type'],
        ['workflows', 0, 'steps', 1, 'requestBody', 'payload'],
        ['workflows', 0, 'steps', 1, 'parameters'],
        ['sourceDescriptions'],
      ].map((path) => path as unknown as Change),
    );
    fc.assert(
      fc.property(places, fc.jsonValue(), (path, value) => {
        const names = path as unknown as readonly (string | number)[];
        const { findings } = examine(
          noteDocument((d) => {
            const parent = names
              .slice(0, -1)
              .reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, d as never);
            parent[String(names.at(-1))] = value;
          }),
        );
        return Array.isArray(findings);
      }),
    );
  });
});
