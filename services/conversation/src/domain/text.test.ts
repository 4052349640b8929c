import { describe, expect, it } from '@jest/globals';
import { partsFromJson, toStoredParts } from './parts.ts';
import { equalsStored, toStorable, toStorableJson } from './text.ts';

const LONE = 'a \ud83d b';

describe('stored text', () => {
  it('loses U+0000 and nothing else', () => {
    expect(toStorable('plain 👍')).toBe('plain 👍');
    expect(toStorable('\0a\0\0b\0')).toBe('ab');
  });

  it('has no lone surrogates in JSON', () => {
    expect(toStorableJson(`${LONE}\0`)).toBe('a \ufffd b');
    expect(toStorableJson('👍')).toBe('👍');
  });

  it('equals the given text', () => {
    expect(equalsStored('👍', '👍')).toBe(true);
    expect(equalsStored(`${LONE}\0`, 'a \ufffd b')).toBe(true);
    expect(equalsStored('a', 'b')).toBe(false);
  });
});

describe('parts', () => {
  const parts = [
    { content: { $case: 'text', value: 'See' } as const },
    { content: { $case: 'imageUrl', value: 'https://example.com/a.png' } as const },
  ];

  it('are stored in OpenAI’s shape and read back', () => {
    const stored = toStoredParts(parts);
    expect(stored).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ]);
    expect(partsFromJson(stored)).toEqual(parts);
  });

  it('are null for a message of text only', () => {
    expect(toStoredParts([])).toBeNull();
    expect(partsFromJson(null)).toEqual([]);
  });

  it('of an unknown type are dropped', () => {
    expect(toStoredParts([{ content: undefined }])).toEqual([]);
  });
});
