import { describe, expect, it } from '@jest/globals';
import { fromStoredParts, toStoredParts } from './message-parts.ts';
import { equalsStoredText, toStorableText, toStorableJsonText } from './storable-text.ts';

const LONE = 'a \ud83d b';

describe('stored text', () => {
  it('loses U+0000 and nothing else', () => {
    expect(toStorableText('plain 👍')).toBe('plain 👍');
    expect(toStorableText('\0a\0\0b\0')).toBe('ab');
  });

  it('has no lone surrogates in JSON', () => {
    expect(toStorableJsonText(`${LONE}\0`)).toBe('a \ufffd b');
    expect(toStorableJsonText('👍')).toBe('👍');
  });

  it('equals the given text', () => {
    expect(equalsStoredText('👍', '👍')).toBe(true);
    expect(equalsStoredText(`${LONE}\0`, 'a \ufffd b')).toBe(true);
    expect(equalsStoredText('a', 'b')).toBe(false);
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
    expect(fromStoredParts(stored)).toEqual(parts);
  });

  it('are null for a message of text only', () => {
    expect(toStoredParts([])).toBeNull();
    expect(fromStoredParts(null)).toEqual([]);
  });

  it('of an unknown type are dropped', () => {
    expect(toStoredParts([{ content: undefined }])).toEqual([]);
  });
});
