import { describe, expect, it } from '@jest/globals';
import { splitText } from './split-text.ts';

describe('splitText', () => {
  it.each([
    ['One. Two. Three.', 10, ['One. Two.', 'Three.']],
    ['a long sentence of words', 10, ['a long', 'sentence', 'of words']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['😀😀😀', 3, ['😀', '😀', '😀']],
    ['  ', 4, []],
  ])('%j at %i is %j', (text, limit, expected) => {
    expect(splitText(text, limit)).toEqual(expected);
  });
});
