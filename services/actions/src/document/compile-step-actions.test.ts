import { describe, it } from '@jest/globals';
import { expectFinding, type FindingRow } from '../../test/expect-finding.ts';

const STEP = '/workflows/0/steps/1';

describe('what our rules find in what follows a step', () => {
  it.each<FindingRow>([
    ['a goto that goes back', { '/workflows/0/steps/1/onSuccess/0/stepId': 'read' }, `${STEP}/onSuccess/0/stepId`, /a later step/],
    ['a goto to nowhere', { '/workflows/0/steps/1/onSuccess/0/stepId': 'gone' }, `${STEP}/onSuccess/0/stepId`, /a later step/],
    ['a retry without end', { '/workflows/0/steps/1/onFailure/0/retryLimit': 1_000 }, `${STEP}/onFailure/0/retryLimit`, /at most 10/],
    [
      'a retry that waits for days',
      { '/workflows/0/steps/1/onFailure/0/retryAfter': 86_400 },
      `${STEP}/onFailure/0/retryAfter`,
      /at most 3600/,
    ],
  ])('%s', (_name, edits, path, message) => expectFinding(edits, path, message));
});
