import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeMessages } from './replayed-messages.ts';

const message = fc.record({ role: fc.constantFrom('user', 'assistant'), parts: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }) });

describe('mergeMessages', () => {
  it('makes one of questions without an answer between them', () => {
    const said = [
      { role: 'user', parts: ['a'] },
      { role: 'assistant', parts: [] },
      { role: 'user', parts: ['b'] },
    ];
    expect(mergeMessages(said)).toEqual([{ role: 'user', parts: ['a', 'b'] }]);
  });

  it('never leaves two of a role in a row nor an empty one, and loses no part', () => {
    fc.assert(
      fc.property(fc.array(message), (said) => {
        const merged = mergeMessages(said);
        expect(merged.every(({ role, parts }, at) => parts.length > 0 && role !== merged[at - 1]?.role)).toBe(true);
        expect(merged.flatMap(({ parts }) => parts)).toEqual(said.flatMap(({ parts }) => parts));
      }),
    );
  });
});
