import { describe, expect, it } from '@jest/globals';
import { generateKey, keyDigest, hasKeyFormat, displayPrefix } from './key-format.ts';

describe('keys', () => {
  it('are the prefix and 43 base-62 characters, each time others', () => {
    const keys = Array.from({ length: 200 }, generateKey);
    expect(keys.every((key) => /^gmk_live_[0-9A-Za-z]{43}$/.test(key))).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every(hasKeyFormat)).toBe(true);
  });

  it.each([
    ['20 characters', 'a'.repeat(20), true],
    ['100 characters', 'a'.repeat(100), true],
    ['19 characters', 'a'.repeat(19), false],
    ['101 characters', 'a'.repeat(101), false],
    ['10 KB', 'a'.repeat(10_240), false],
    ['other characters', `${'a'.repeat(42)}-`, false],
    ['a line break at the end', `${'a'.repeat(43)}\n`, false],
  ])('are recognised by form: %s', (_name, digits, expected) => {
    expect(hasKeyFormat(`gmk_live_${digits}`)).toBe(expected);
  });

  it('are known by a digest and shown by their first characters', () => {
    expect(keyDigest('abc')).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
    expect(displayPrefix('gmk_live_abcdefgh')).toBe('gmk_live_abcd');
  });
});
