import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, type House, OPERATOR_KEY, startHouse } from './harness.ts';

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
}
interface Document {
  openapi: string;
  info: { version: string };
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
}

describe('the API description', () => {
  let house: House;
  let open: Document;
  let whole: Document;
  beforeAll(async () => {
    house = await startHouse();
    open = (await call<Document>(`${house.edge.url}/openapi-public.json`)).body;
    whole = (await call<Document>(`${house.edge.url}/openapi.json`, { key: OPERATOR_KEY })).body;
  });
  afterAll(async () => house[Symbol.asyncDispose]());

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
    expect(Object.keys(chat?.responses ?? {})).toEqual(expect.arrayContaining(['401', '403', '413', '415', '422', '429', 'default']));
  });

  it('is closed to strangers where it shows the operator’s surface', async () => {
    expect((await call(`${house.edge.url}/openapi.json`)).status).toBe(401);
  });
});
