import { describe, it } from '@jest/globals';
import { LOOK } from '../../test/documents.ts';
import { expectFinding, type FindingRow } from '../../test/expect-finding.ts';

describe('what our rules find in a workflow', () => {
  it.each<FindingRow>([
    ['no slug', { '/x-parley-slug': undefined }, '/x-parley-slug', /must name the action/],
    ['a slug that is none', { '/x-parley-slug': 'Keep Note' }, '/x-parley-slug', /must name the action/],
    ['a connection that is no yes or no', { '/x-parley-connection': 'github' }, '/x-parley-connection', /true or false/],
    ['two workflows', { '/workflows/-': { workflowId: 'b', steps: [LOOK] } }, '/workflows/1', /one workflow/],
    ['a workflow that depends on another', { '/workflows/0/dependsOn': ['x'] }, '/workflows/0/dependsOn', /cannot depend/],
    ['components', { '/components': { parameters: {} } }, '/components', /not supported/],
    ['two steps of one id', { '/workflows/0/steps/2/stepId': 'read' }, '/workflows/0/steps/2/stepId', /another step 'read'/],
    ['a step id with a dot', { '/workflows/0/steps/2/stepId': 'a.b' }, '/workflows/0/steps/2/stepId', /letters, digits/],
    [
      '51 steps',
      { '/workflows/0/steps': Array.from({ length: 51 }, (_, n) => ({ ...LOOK, stepId: `s${n}` })) },
      '/workflows/0/steps',
      /at most 50/,
    ],
  ])('%s', (_name, edits, path, message) => expectFinding(edits, path, message));
});
