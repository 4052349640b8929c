import { describe, expect, it } from '@jest/globals';
import { toSearchPattern } from './search-text.ts';

describe('the pattern of a search', () => {
  it('is equal for both Unicode forms of a letter', () => {
    expect(toSearchPattern('A\u0308rger')).toEqual(toSearchPattern('Ärger'));
  });

  it('matches literally', () => {
    expect(toSearchPattern('50%_\\Off').likePattern).toBe('%50\\%\\_\\\\Off%');
  });

  it('has a part that no normalization changes', () => {
    expect(toSearchPattern('Zürich to Genève').stablePart).toBe('rich to Gen');
    expect(toSearchPattern('é').stablePart).toBe('');
    expect(toSearchPattern('Жук').stablePart).toBe('Жук');
  });

  it('states whether the text index can find it', () => {
    expect(['abc', 'Жук', 'a b', '_%!'].map((text) => toSearchPattern(text).hasTrigram)).toEqual([true, true, false, false]);
  });
});
