import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, call, type TestFixture, startFixture } from './harness.ts';
import { operatorToken } from './operator.ts';

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  requestBody?: unknown;
  responses: Record<
    string,
    { headers?: Record<string, unknown>; 'x-error-codes'?: string[]; content?: Record<string, { schema: unknown }> }
  >;
}
interface Document {
  openapi: string;
  info: { version: string };
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
}

describe('the API description', () => {
  let fixture: TestFixture;
  let open: Document;
  let whole: Document;
  beforeAll(async () => {
    fixture = await startFixture();
    open = (await call<Document>(`${fixture.edge.url}/openapi-public.json`)).body;
    whole = (await call<Document>(`${fixture.edge.url}/openapi.json`, { key: await operatorToken(fixture) })).body;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const operations = (document: Document) => Object.values(document.paths).flatMap((path) => Object.values(path));

  it('is OpenAPI 3.1 of version 0.9.0', () => {
    expect([open.openapi, open.info.version]).toEqual(['3.1.0', '0.9.0']);
  });

  it('has every operation once, with an id of its own', () => {
    const ids = operations(whole).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['createChatCompletion', 'listModels', 'createKey']));
  });

  it('resolves every reference', () => {
    for (const document of [open, whole]) {
      const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
      expect(refs.length).toBeGreaterThan(5);
      expect(refs.filter((name) => !(name in document.components.schemas))).toEqual([]);
    }
  });

  it('declares every parameter of a path', () => {
    for (const [path, methods] of Object.entries(whole.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(named);
      }
    }
  });

  it('keeps the operator’s surface out of the public document, and its schemes and schemas too', () => {
    expect(Object.keys(open.paths).filter((path) => path.startsWith('/admin') || path === '/openapi.json')).toEqual([]);
    expect(Object.keys(open.components.securitySchemes)).toEqual(['apiKey']);
    expect(open.components.schemas).not.toHaveProperty('ApiKey');
    expect(whole.paths).toHaveProperty('/admin/v1/keys');
  });

  it('describes chat with its routing headers, both kinds of answer and the errors', () => {
    const chat = open.paths['/v1/chat/completions']?.post;
    expect(chat?.security).toEqual([{ apiKey: [] }]);
    expect(chat?.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-Service-Conversation-Id', 'X-Service-Upstream-Account', 'X-Service-Route-Profile']),
    );
    expect(Object.keys(chat?.responses['200']?.content ?? {})).toEqual(['application/json', 'text/event-stream']);
    expect(Object.keys(chat?.responses ?? {})).toEqual(expect.arrayContaining(['401', '403', '413', '415', '422', '429', '4XX', '5XX']));
  });

  it('describes conversations with their parameters, bodies, headers and every code', () => {
    const one = '/v1/conversations/{conversation_id}';
    const list = open.paths['/v1/conversations']?.get;
    const query = (operation: Operation | undefined) => operation?.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
    expect(query(list).map(({ name, schema }) => [name, schema.type])).toEqual([
      ['status_filter', 'string'],
      ['search', 'string'],
      ['pinned_only', 'boolean'],
      ['destination_filter', 'string'],
      ['account_filter', 'string'],
      ['project_filter', 'string'],
      ['limit', 'integer'],
      ['offset', 'integer'],
    ]);
    expect(query(list).some(({ required }) => required)).toBe(false);
    expect(list?.responses['200']?.headers).toHaveProperty('X-Total-Count');
    expect(query(open.paths[one]?.patch).map(({ name, schema }) => [name, schema.type])).toEqual([
      ['title', 'string'],
      ['pinned', 'boolean'],
    ]);
    expect(open.paths[`${one}/share`]?.post?.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/NewParticipant' }, example: expect.any(Object) } },
    });
    const codes = Object.fromEntries(
      Object.entries(open.paths[`${one}/sync`]?.post?.responses ?? {}).map(([status, response]) => [status, response['x-error-codes']]),
    );
    expect(codes).toMatchObject({
      403: expect.arrayContaining(['MISSING_SCOPE', 'CONVERSATION_ACCESS_DENIED', 'ACCOUNT_REAUTH_REQUIRED']),
      404: ['CONVERSATION_NOT_FOUND'],
      409: expect.arrayContaining(['CONVERSATION_BUSY']),
      422: ['VALIDATION_ERROR'],
      429: ['rate_limit_exceeded', 'PROVIDER_RATE_LIMITED'],
    });
  });

  it('describes downloads as bytes, with parts, conditions and HEAD', () => {
    const download = open.paths['/v1/assets/{asset_id}/download']?.get;
    expect(download?.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Range', 'If-Range', 'If-None-Match', 'asset_id']),
    );
    const responses = download?.responses ?? {};
    for (const status of ['200', '206']) {
      expect(responses[status]?.content).toEqual({ '*/*': { schema: { type: 'string', format: 'binary' } } });
      expect(Object.keys(responses[status]?.headers ?? {})).toEqual(
        expect.arrayContaining(['ETag', 'Content-Range', 'Content-Disposition']),
      );
    }
    expect(responses['304']).not.toHaveProperty('content');
    expect(responses['409']?.['x-error-codes']).toEqual(['ASSET_NOT_READY']);
    expect(responses['416']?.['x-error-codes']).toEqual(['range_not_satisfiable']);
  });

  it('describes uploads as forms with a file, and what they may be refused with', () => {
    for (const path of ['/v1/conversations/{conversation_id}/attachments', '/v1/projects/{project_id}/files']) {
      const upload = open.paths[path]?.post;
      expect(upload?.requestBody).toEqual({
        required: true,
        content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/FileUpload' }, example: expect.any(Object) } },
      });
      const codes = Object.fromEntries(
        Object.entries(upload?.responses ?? {}).map(([status, response]) => [status, response['x-error-codes']]),
      );
      expect(codes).toMatchObject({
        400: ['UNSUPPORTED_FILE_TYPE'],
        403: expect.arrayContaining(['UPSTREAM_ACCOUNT_NOT_AUTHORIZED']),
        408: ['request_timeout'],
        413: ['FILE_TOO_LARGE'],
        415: ['unsupported_media_type'],
        429: expect.arrayContaining(['rate_limit_exceeded']),
        502: expect.arrayContaining(['UPLOAD_FAILED']),
      });
    }
    expect(open.components.schemas.FileUpload).toMatchObject({
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    });
    expect(open.components.schemas.NewProject).toMatchObject({
      required: ['name'],
      properties: { memory_policy: { enum: ['provider_default', 'account_connected', 'project_only', null] } },
    });
  });

  it.each([
    ['patch', '/v1/projects/{project_id}'],
    ['delete', '/v1/projects/{project_id}'],
    ['delete', '/v1/projects/{project_id}/files/{source_id}'],
    ['post', '/v1/projects/{project_id}/files'],
  ])('lists the errors of an account that cannot serve: %s %s', (method, path) => {
    const responses = open.paths[path]?.[method]?.responses ?? {};
    expect(Object.values(responses).flatMap((response) => response['x-error-codes'] ?? [])).toEqual(
      expect.arrayContaining(['ACCOUNT_NOT_ACTIVE', 'ACCOUNT_REAUTH_REQUIRED', 'NO_HEALTHY_SESSION', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED']),
    );
    expect(responses['503']?.['x-error-codes']).toContain('ACCOUNT_REAUTH_REQUIRED');
  });

  it('describes audio: bytes, text, a form with fields, the key of a job, and the throttle’s own code', () => {
    const binary = { 'audio/*': { schema: { type: 'string', format: 'binary' } } };
    const content = open.paths['/v1/audio/generations/{job_id}/content']?.get?.responses ?? {};
    expect([content['200']?.content, content['206']?.content]).toEqual([binary, binary]);
    expect(content['410']?.['x-error-codes']).toEqual(['AUDIO_EXPIRED']);
    expect(open.paths['/v1/audio/speech']?.post?.responses['200']?.content).toEqual(binary);
    const create = open.paths['/v1/audio/generations']?.post;
    expect(create?.parameters?.map(({ name }) => name)).toContain('Idempotency-Key');
    expect(create?.responses).toHaveProperty('202');
    const transcribe = open.paths['/v1/audio/transcriptions']?.post;
    expect(transcribe?.responses['200']?.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/Transcription' }, example: expect.any(Object) },
      'text/plain': { schema: { type: 'string' }, example: expect.any(String) },
    });
    expect(transcribe?.responses['429']?.['x-error-codes']).toEqual([
      'rate_limit_exceeded',
      'transcription_rate_limit',
      'AUDIO_QUOTA_EXCEEDED',
      'PROVIDER_RATE_LIMITED',
    ]);
    expect(transcribe?.responses['429']?.headers).toHaveProperty('X-RateLimit-Limit');
    expect(transcribe?.responses['200']?.headers).toHaveProperty('X-RateLimit-Remaining');
    expect(open.components.schemas.AudioUpload).toMatchObject({
      required: ['file'],
      properties: {
        file: { format: 'binary' },
        response_format: { enum: ['json', 'text', 'verbose_json', 'srt', 'vtt'] },
        conversation_id: { format: 'uuid' },
      },
    });
    expect(open.components.schemas.NewAudioJob).toMatchObject({ properties: { input: { minLength: 1, maxLength: 10_000 } } });
  });

  it('names every code of a turn, and what any request may be refused with', () => {
    const responses = open.paths['/v1/chat/completions']?.post?.responses ?? {};
    const codes = Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, response['x-error-codes']]));
    expect(codes).toMatchObject({
      409: expect.arrayContaining(['CONVERSATION_BUSY', 'CONVERSATION_CONTINUITY_LOST']),
      410: ['CONVERSATION_DELETED_UPSTREAM'],
      419: ['CONVERSATION_SESSION_EXPIRED'],
      502: ['PROVIDER_UNAVAILABLE'],
      '4XX': expect.arrayContaining(['not_found', 'method_not_allowed', 'headers_too_large']),
      '5XX': expect.arrayContaining(['internal_error']),
    });
  });

  it('is closed to strangers and to keys where it shows the operator’s surface', async () => {
    expect((await call(`${fixture.edge.url}/openapi.json`)).status).toBe(401);
    expect((await call(`${fixture.edge.url}/openapi.json`, { key: API_KEY })).status).toBe(401);
  });

  it.each(['/openapi-public.json', '/docs-public'])('is not sent again to a client that has it: %s', async (path) => {
    const url = fixture.edge.url + path;
    const first = await fetch(url);
    await first.text();
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const etag = first.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect((await fetch(url, { headers: { 'if-none-match': known } })).status).toBe(304);
    }
    const other = await fetch(url, { headers: { 'if-none-match': '"other"' } });
    expect([other.status, (await other.text()).length > 100]).toEqual([200, true]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });
});
