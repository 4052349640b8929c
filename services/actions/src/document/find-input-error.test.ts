import { describe, expect, it } from '@jest/globals';
import { noteDocument } from '../../test/documents.ts';
import { type JsonValue } from '../domain/json.ts';
import { checkDocument } from './check-document.ts';
import { findInputError } from './find-input-error.ts';

const { workflow } =
  checkDocument(noteDocument({ '/workflows/0/inputs/properties/kind': { type: 'string', enum: ['a', 'b'] } })).compilation ?? {};
const check = (input: JsonValue) => workflow && findInputError(workflow, input);

describe('findInputError', () => {
  it.each<JsonValue>([{ text: 'a' }, { text: 'a', file: { asset_id: 'x' }, tags: [{ name: 'b' }], other: 1 }])('takes %j', (input) =>
    expect(check(input)).toBeUndefined(),
  );

  it.each<[JsonValue, string, RegExp]>([
    [[], 'input', /^input must be object$/],
    ['text', 'input', /must be object/],
    [{}, 'input.text', /is required/],
    [{ text: '' }, 'input.text', /fewer than 1/],
    [{ text: 5 }, 'input.text', /must be string/],
    [{ text: 'a', file: 'id' }, 'input.file', /must be object/],
    [{ text: 'a', file: {} }, 'input.file.asset_id', /is required/],
    [{ text: 'a', file: { asset_id: 'x', url: 'y' } }, 'input.file.url', /is not an input/],
    [{ text: 'a', tags: [{ name: 'b' }, { name: 'B' }] }, 'input.tags[1].name', /pattern/],
    [{ text: 'a', tags: [{}] }, 'input.tags[0].name', /is required/],
    [{ text: 'a', kind: 'c' }, 'input.kind', /one of "a", "b"/],
  ])('refuses %j', (input, param, message) => {
    const refusal = check(input);
    expect(refusal).toMatchObject({ condition: 'VALIDATION_ERROR', param });
    expect(refusal?.message).toMatch(message);
  });

  it('is not made slow by a text', () => {
    const slow = checkDocument(noteDocument({ '/workflows/0/inputs/properties/text/pattern': '^(a+)+$' })).compilation?.workflow;
    expect(slow && findInputError(slow, { text: `${'a'.repeat(50_000)}!` })).toMatchObject({ param: 'input.text' });
  });
});
