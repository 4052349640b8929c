import { describe, expect, it } from '@jest/globals';
import {
  findInputSchema,
  parseDocument,
  findServerUrl,
  createSampleDocument,
  sourceNames,
  toOpenApiSources,
  toActionDocument,
  formatDocument,
} from './document-text.ts';

describe('a document of an action', () => {
  it('names the sources that have to be opened, and is sent with those only', () => {
    const document = {
      sourceDescriptions: [
        { name: 'parley', url: 'parley:functions' },
        { name: 'tickets', url: './tickets.json' },
      ],
    };
    const api = { openapi: '3.1.0', servers: [{ url: 'https://a.example' }] };
    expect(sourceNames(document)).toEqual(['tickets']);
    const source = { fileName: 'a.json', document: api, server: findServerUrl(api) };
    expect(toActionDocument(document, { tickets: source, other: source })).toEqual({ document, sources: { tickets: api } });
    const elsewhere = { ...source, server: 'https://b.example' };
    expect(toActionDocument(document, { tickets: elsewhere }).sources).toEqual({
      tickets: { ...api, servers: [{ url: 'https://b.example' }] },
    });
  });

  it('is sent as it was published, when nothing is changed', () => {
    const published = { sourceDescriptions: [{ name: 'tickets', url: './tickets.json' }] };
    const apis = { tickets: { openapi: '3.1.0', servers: [{ url: 'https://a.example' }] } };
    const read = parseDocument(formatDocument(published));
    expect('document' in read && toActionDocument(read.document, toOpenApiSources(apis, 'version 1'))).toEqual({
      document: published,
      sources: apis,
    });
  });

  it('says what the action takes', () => {
    const inputs = { type: 'object', properties: { title: { type: 'string', maxLength: 80 } } };
    expect(findInputSchema({ workflows: [{ workflowId: 'a', inputs }] })).toEqual(inputs);
    for (const without of [{}, { workflows: [] }, { workflows: [{ workflowId: 'a' }] }]) expect(findInputSchema(without)).toBeUndefined();
  });

  it('is a JSON object', () => {
    expect(parseDocument('[1]')).toEqual({ broken: '' });
    expect(parseDocument('{')).toMatchObject({ broken: expect.stringMatching(/JSON/) });
    expect(parseDocument(createSampleDocument('a-slug'))).toMatchObject({ document: { 'x-parley-slug': 'a-slug' } });
  });
});
