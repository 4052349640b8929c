import { describe, expect, it } from '@jest/globals';
import { splitIntoPieces } from './split-into-pieces.ts';
import { countTokens } from './tokens.ts';

describe('splitIntoPieces', () => {
  it('cuts at words', () => {
    expect(splitIntoPieces('one two, three')).toEqual(['one', ' two,', ' three']);
  });

  it.each([
    '',
    ' ',
    '  lead',
    'trail  ',
    'a\n\n- b\t c',
    '🎈'.repeat(100),
    'x'.repeat(1000),
    ' '.repeat(1000),
    '日本語のテキスト',
    'lone \ud83d end',
  ])('loses nothing of %j', (text) => {
    const pieces = splitIntoPieces(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.every((piece) => piece.length <= 56)).toBe(true);
  });

  it('splits no surrogate pair', () => {
    expect(splitIntoPieces('🎈'.repeat(100)).every((piece) => !/\p{Surrogate}/u.test(piece))).toBe(true);
  });
});

describe('countTokens', () => {
  it.each([
    ['', 0],
    ['one', 1],
    ['one two', 2],
    ['Hello, world!', 4],
    ['  spaced   out ', 2],
    ['naïve café', 2],
    ['日本語', 3],
  ])('counts %j as %d', (text, count) => {
    expect(countTokens(text)).toBe(count);
  });
});
