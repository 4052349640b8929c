import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { checkDocument } from '../src/document/check-document.ts';

const EXAMPLES = new URL('../../../docs/actions/', import.meta.url);
const read = async (name: string): Promise<string> => JSON.stringify(parse(await readFile(new URL(name, EXAMPLES), 'utf8')));

describe('the documented examples', () => {
  it.each([
    ['summarise-document', 'read', ['extractText', 'chat'], ['document']],
    ['speak-text', 'read', ['speak'], []],
    ['open-ticket', 'write', ['http://127.0.0.1:9090/tickets', 'http://127.0.0.1:9090/tickets/{id}'], []],
  ])('%s can be published', async (slug, risk, calls, fileInputs) => {
    const { findings, compilation } = checkDocument({
      document: await read(`${slug}.arazzo.yaml`),
      sources: { tickets: await read('tickets.openapi.json') },
    });
    expect(findings).toEqual([]);
    expect(compilation?.workflow).toMatchObject({ slug, risk, fileInputs, requiresConnection: slug === 'open-ticket' });
    expect(compilation?.workflow.steps.map(({ operation }) => (operation.kind === 'http' ? operation.url : operation.name))).toEqual(calls);
  });
});
