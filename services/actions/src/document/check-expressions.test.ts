import { describe, it } from '@jest/globals';
import { expectFinding, type FindingRow } from '../../test/expect-finding.ts';

const STEP = '/workflows/0/steps/1';

describe('what our rules find in expressions', () => {
  it.each<FindingRow>([
    [
      'an input that is not declared',
      { '/workflows/0/steps/1/requestBody/payload/title': '{$inputs.nope}' },
      `${STEP}/requestBody/payload/title`,
      /not declared/,
    ],
    [
      'a step that is not there',
      { '/workflows/0/outputs/note': '$steps.gone.outputs.x' },
      '/workflows/0/outputs/note',
      /not an earlier step/,
    ],
    [
      'a later step',
      { '/workflows/0/steps/0/requestBody/payload/file': '$steps.create.outputs.id' },
      '/workflows/0/steps/0/requestBody/payload/file',
      /not an earlier step/,
    ],
    [
      'an output that a step does not have',
      { '/workflows/0/outputs/note': '$steps.create.outputs.name' },
      '/workflows/0/outputs/note',
      /does not have/,
    ],
    [
      'an answer before there is one',
      { '/workflows/0/steps/1/requestBody/payload/title': '$response.body' },
      `${STEP}/requestBody/payload/title`,
      /there is none here/,
    ],
    [
      'an expression we do not have',
      { '/workflows/0/steps/1/outputs/id': '$request.body' },
      `${STEP}/outputs/id`,
      /not a runtime expression/,
    ],
    ['an output that is a text', { '/workflows/0/outputs/note': 'text' }, '/workflows/0/outputs/note', /not a runtime expression/],
  ])('%s', (_name, edits, path, message) => expectFinding(edits, path, message));
});
