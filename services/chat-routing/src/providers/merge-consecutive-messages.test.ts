import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeConsecutiveMessages } from './merge-consecutive-messages.ts';

interface Message {
  role: string;
  parts: string[];
}

const merge = (messages: readonly Message[]) =>
  mergeConsecutiveMessages(messages, ({ role, parts }, next) => ({ role, parts: [...parts, ...next.parts] }));

describe('mergeConsecutiveMessages', () => {
  it('joins questions that have no answer between them', () => {
    const messages = [
      { role: 'user', parts: ['a'] },
      { role: 'user', parts: ['b'] },
      { role: 'assistant', parts: ['c'] },
    ];
    expect(merge(messages)).toEqual([
      { role: 'user', parts: ['a', 'b'] },
      { role: 'assistant', parts: ['c'] },
    ]);
  });

  it('leaves system messages apart', () => {
    const messages = ['a', 'b'].map((text) => ({ role: 'system', parts: [text] }));
    expect(merge(messages)).toEqual(messages);
  });

  it('never leaves two messages of the user or the assistant in a row, and loses no part', () => {
    const message = fc.record({ role: fc.constantFrom('user', 'assistant'), parts: fc.array(fc.string(), { maxLength: 2 }) });
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const merged = merge(messages);
        expect(merged.every(({ role }, at) => role !== merged[at - 1]?.role)).toBe(true);
        expect(merged.flatMap(({ parts }) => parts)).toEqual(messages.flatMap(({ parts }) => parts));
      }),
    );
  });
});
