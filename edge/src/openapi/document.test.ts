import { describe, expect, it } from '@jest/globals';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ALL_ROUTES } from '../routes/index.ts';
import { OPERATION_DETAILS } from './details/index.ts';
import { createMeDocument, createPublicDocument, createWholeDocument } from './document.ts';

interface Media {
  schema: { format?: string };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Answer {
  content?: Record<string, Media>;
  headers?: Record<string, { description?: string }>;
}
interface Operation {
  operationId: string;
  description: string;
  parameters?: { name: string; example?: unknown; description?: string; schema: { pattern?: string } }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}
interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const TABLE = ALL_ROUTES;
const whole = createWholeDocument(TABLE) as unknown as Document;
const operations = Object.entries(whole.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ id: operation.operationId, at: ['paths', path, method], operation })),
);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'doc:', ...whole });

/** Why a value is none of the schema at a place of the document; undefined when it is one. */
function wrong(at: readonly string[], value: unknown): unknown {
  const names = [...at, 'schema'].map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.getSchema(`doc:#/${names.join('/')}`);
  if (!validate) throw new Error(`nothing at ${at.join(' ')}`);
  return validate(value) ? undefined : validate.errors;
}

/** Examples of a place where a body is described. */
function examplesOf({ example, examples }: Media): unknown[] {
  return [...(example === undefined ? [] : [example]), ...Object.values(examples ?? {}).map(({ value }) => value)];
}

describe('the API description', () => {
  it('has details for every row of the table, and for nothing else', () => {
    expect(Object.keys(OPERATION_DETAILS).sort()).toEqual(
      TABLE.filter(({ mirrors }) => !mirrors)
        .map(({ operationId }) => operationId)
        .sort(),
    );
  });

  it.each(operations)('$id shows what it takes and what it answers', ({ at, operation: { requestBody, responses, description } }) => {
    expect(description.length).toBeGreaterThan(10);
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const places = [
      ...Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({ media, where: [...at, 'requestBody', 'content', type] })),
      ...good.flatMap(([status, { content }]) =>
        Object.entries(content ?? {}).map(([type, media]) => ({ media, where: [...at, 'responses', status, 'content', type] })),
      ),
    ];
    for (const { media, where } of places) {
      const examples = examplesOf(media);
      // Bytes cannot be shown.
      if (media.schema.format !== 'binary') expect(examples).not.toHaveLength(0);
      for (const example of examples) expect(wrong(where, example)).toBeUndefined();
    }
  });

  it.each(operations)('$id shows what it refuses with', ({ at, operation: { responses } }) => {
    const bad = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
    for (const [status, { content }] of bad) {
      for (const [type, media] of Object.entries(content ?? {})) {
        expect(wrong([...at, 'responses', status, 'content', type], media.example)).toBeUndefined();
      }
    }
  });

  it.each(operations)('$id explains its parameters and headers by examples and words', ({ at, operation: { parameters, responses } }) => {
    for (const [index, { example, name, schema }] of (parameters ?? []).entries()) {
      if (example !== undefined) expect([name, wrong([...at, 'parameters', String(index)], example)]).toEqual([name, undefined]);
      expect(schema.pattern ?? '').not.toMatch(/\/[a-z]*$/);
    }
    for (const { headers } of Object.values(responses)) {
      expect(Object.keys(headers ?? {})).toContain('X-Request-Id');
      for (const { description } of Object.values(headers ?? {})) expect(description).toMatch(/./);
    }
  });

  it('has patterns that match what they are about', () => {
    const patterns = [...JSON.stringify(whole).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text ?? '') as string,
    );
    expect(patterns.length).toBeGreaterThan(5);
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow();
    expect(
      wrong(['paths', '/v1/conversations', 'post', 'requestBody', 'content', 'application/json'], { title: 'A title' }),
    ).toBeUndefined();
  });

  it('takes null where the gateway does', () => {
    const at = ['paths', '/v1/conversations', 'post', 'requestBody', 'content', 'application/json'];
    expect(wrong(at, { title: null, upstream_account_id: null, upstream_project_id: null, model: null })).toBeUndefined();
  });

  it('describes what people may use of it under names of their own, and with the same words', () => {
    const { paths } = createMeDocument(TABLE) as unknown as Document;
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
    const mounted = paths['/me/v1/conversations/{conversation_id}']?.['get'];
    const original = whole.paths['/v1/conversations/{conversation_id}']?.['get'];
    expect(mounted?.operationId).toBe('meGetConversation');
    expect(mounted?.description).toContain(original?.description.split('\n')[0]);
    expect(mounted?.parameters?.map(({ name }) => name)).toEqual(expect.arrayContaining(['X-Service-Workspace', 'workspace_id']));
  });

  it('has nothing of the surface of people in the documents of the others', () => {
    const ofKeys = TABLE.filter(({ path }) => !path.startsWith('/me/'));
    expect(createPublicDocument(TABLE)).toEqual(createPublicDocument(ofKeys));
    expect(JSON.stringify([createPublicDocument(TABLE), whole])).not.toContain('X-Service-Workspace');
  });

  it('explains every group, in all documents', () => {
    for (const { tags, paths } of [
      whole,
      ...[createPublicDocument(TABLE), createMeDocument(TABLE)].map((one) => one as unknown as Document),
    ]) {
      const used = Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap((operation) => (operation as { tags?: string[] }).tags),
      );
      expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort());
      for (const { description } of tags) expect(description).not.toMatch(/^Operations on/);
    }
  });
});
