import { describe, expect, it } from '@jest/globals';
import { CUT_MARK, MAX_REASONING, toStorableReasoning } from './reasoning.ts';

describe('reasoning text', () => {
  it('is unchanged except for characters that PostgreSQL rejects', () => {
    expect(toStorableReasoning('First\0, then')).toBe('First, then');
    const longest = 'a'.repeat(MAX_REASONING);
    expect(toStorableReasoning(longest)).toBe(longest);
  });

  it('is null when empty', () => {
    expect(['', '\0'].map(toStorableReasoning)).toEqual([null, null]);
  });

  it.each(['a', 'é', '思', '😀'])('is truncated between characters and marked when too long (%s)', (character) => {
    const kept = toStorableReasoning(`x${character.repeat(MAX_REASONING)}`) ?? '';
    expect(kept.slice(-CUT_MARK.length)).toBe(CUT_MARK);
    expect(kept.slice(0, -CUT_MARK.length).replaceAll(character, '')).toBe('x');
    const bytes = Buffer.byteLength(kept);
    expect(bytes).toBeLessThanOrEqual(MAX_REASONING);
    expect(bytes).toBeGreaterThan(MAX_REASONING - 4);
  });
});
