import { describe, expect, it } from '@jest/globals';
import { splitIntoChunks } from './text-chunks.ts';

describe('splitIntoChunks', () => {
  it.each([
    '',
    'short',
    'word '.repeat(40_000),
    'line\n'.repeat(40_000),
    'x'.repeat(100_000),
    '🎈'.repeat(30_000),
    `a${'🎈'.repeat(30_000)}`,
  ])('loses nothing, and no piece is long (%#)', (text) => {
    const pieces = splitIntoChunks(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.every((piece) => piece.length <= 8_192 && !/^[\uDC00-\uDFFF]/.test(piece))).toBe(true);
  });

  it('keeps the earlier pieces of a text that grows', () => {
    const text = 'one two three\nfour '.repeat(2_000);
    const before = splitIntoChunks(text);
    const after = splitIntoChunks(`${text}${text}`);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });
});
