import { describe, expect, it } from '@jest/globals';
import { TRUNCATION_MARKER, MAX_REASONING_BYTES, toStorableReasoning } from './reasoning.ts';

describe('reasoning text', () => {
  it('is unchanged except for characters that PostgreSQL rejects', () => {
    expect(toStorableReasoning('First\0, then')).toBe('First, then');
    const longest = 'a'.repeat(MAX_REASONING_BYTES);
    expect(toStorableReasoning(longest)).toBe(longest);
  });

  it('is null when empty', () => {
    expect(['', '\0'].map(toStorableReasoning)).toEqual([null, null]);
  });

  it.each(['a', 'é', '思', '😀'])('is truncated between characters and marked when too long (%s)', (character) => {
    const kept = toStorableReasoning(`x${character.repeat(MAX_REASONING_BYTES)}`) ?? '';
    expect(kept.slice(-TRUNCATION_MARKER.length)).toBe(TRUNCATION_MARKER);
    expect(kept.slice(0, -TRUNCATION_MARKER.length).replaceAll(character, '')).toBe('x');
    const bytes = Buffer.byteLength(kept);
    expect(bytes).toBeLessThanOrEqual(MAX_REASONING_BYTES);
    expect(bytes).toBeGreaterThan(MAX_REASONING_BYTES - 4);
  });
});
