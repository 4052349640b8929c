import { describe, it } from '@jest/globals';
import { expectFinding, type FindingRow } from '../../test/expect-finding.ts';

describe('what our rules find in inputs', () => {
  it.each<FindingRow>([
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
  ])('%s', (_name, edits, path, message) => expectFinding(edits, path, message));
});
