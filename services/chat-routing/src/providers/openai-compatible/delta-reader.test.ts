import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DeltaReader } from './delta-reader.ts';

const chunk = (content: string, over: object = {}) =>
  JSON.stringify({ id: 'c-1', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null, ...over }] });

/** A reader whose pattern is set from a chunk. */
function taught(data: string, text: string): DeltaReader {
  const reader = new DeltaReader();
  reader.setPattern(data, text);
  return reader;
}

describe('DeltaReader', () => {
  it('reads any text from a chunk like the one that set the pattern', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), (first, text) => {
        const reader = taught(chunk(first), first);
        const read = reader.findText(chunk(text));
        // A text whose position is ambiguous sets no pattern; then everything is left to the parser.
        expect(read === undefined || read === text).toBe(true);
      }),
    );
    expect(taught(chunk('Hello'), 'Hello').findText(chunk(' "wörld"\n\u0001😀'))).toBe(' "wörld"\n\u0001😀');
  });

  it('reads chunks of servers that put a space behind the colon', () => {
    const spaced = (text: string) => `{"choices": [{"delta": {"content": ${JSON.stringify(text)}}, "finish_reason": null}]}`;
    expect(taught(spaced('a'), 'a').findText(spaced('b\\'))).toBe('b\\');
  });

  it.each([
    ['another finish reason', chunk('x', { finish_reason: 'stop' })],
    ['another id', chunk('x').replace('c-1', 'c-2')],
    ['another field behind the text', chunk('x').replace('"x"', '"x","role":"assistant"')],
    ['a text that is cut off', chunk('x').replace('"x"', '"x\\"')],
    ['a raw control character', chunk('x').replace('"x"', '"\n"')],
    ['no text', '{}'],
  ])('leaves %s to the parser', (_, data) => {
    expect(taught(chunk('Hello'), 'Hello').findText(data)).toBeUndefined();
  });

  it('sets no pattern where the text stands twice', () => {
    const twice = '{"reasoning":{"content":"a"},"choices":[{"delta":{"content":"a"}}]}';
    expect(taught(twice, 'a').findText(twice)).toBeUndefined();
  });
});
