import { describe, expect, it } from '@jest/globals';
import { findPointerRange } from './pointer-range.ts';

const TEXT = `{
  "info": { "title": "A" },
  "a/b": [{ "x": 1 }, { "y~": 2 }]
}`;

describe('findPointerRange', () => {
  it.each([
    ['/info/title', '"title"'],
    ['/a~1b', '"a/b"'],
    ['/a~1b/1/y~0', '"y~"'],
    ['/a~1b/0', '{'],
    // What is missing is shown where it belongs.
    ['/info/version', '"info"'],
    ['/a~1b/7/z', '"a/b"'],
    ['', '{'],
  ])('finds %s', (pointer, marked) => {
    const { from, to } = findPointerRange(TEXT, pointer);
    expect(TEXT.slice(from, to)).toBe(marked);
  });

  it('stays within a text that is no JSON', () => {
    for (const text of ['', '{', '{"a": [', 'nothing']) {
      const { from, to } = findPointerRange(text, '/a/0/b');
      expect(from >= 0 && from <= to && to <= text.length).toBe(true);
    }
  });
});
