import { describe, it } from '@jest/globals';
import { expectFinding, type FindingRow } from '../../test/expect-finding.ts';

const STEP = '/workflows/0/steps/1';

describe('what our rules find in criteria', () => {
  it.each<FindingRow>([
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
  ])('%s', (_name, edits, path, message) => expectFinding(edits, path, message));
});
