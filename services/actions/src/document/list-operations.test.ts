import { describe, it } from '@jest/globals';
import { expectFinding, type FindingRow } from '../../test/expect-finding.ts';

const STEP = '/workflows/0/steps/1';

describe('what our rules find in sources', () => {
  it.each<FindingRow>([
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
      { '/sourceDescriptions/-': { name: 'gateway', url: 'parley:functions' } },
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
  ])('%s', (_name, edits, path, message) => expectFinding(edits, path, message));
});
