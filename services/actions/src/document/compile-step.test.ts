import { describe, it } from '@jest/globals';
import { expectFinding, type FindingRow } from '../../test/expect-finding.ts';

const STEP = '/workflows/0/steps/1';

describe('what our rules find in a step', () => {
  it.each<FindingRow>([
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
    [
      'a replacement',
      { '/workflows/0/steps/1/requestBody/replacements': [{ target: '/a', value: 'b' }] },
      `${STEP}/requestBody/replacements`,
      /not supported/,
    ],
  ])('%s', (_name, edits, path, message) => expectFinding(edits, path, message));
});
