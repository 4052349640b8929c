import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodePieces } from './encode-pieces.ts';
import { toJsonPieces, PIECE_CHARACTERS, splitIntoPieces } from './json-pieces.ts';

const PAIR = '\u{1f600}';
const LONG = `${'x'.repeat(PIECE_CHARACTERS - 1)}${PAIR}${'"\ud800 '.repeat(PIECE_CHARACTERS / 2)}`;

describe('the pieces of a JSON text', () => {
  it('concatenate to the result of JSON.stringify', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect([...toJsonPieces(value)].join('')).toBe(JSON.stringify(value))));
  });

  it.each([
    ['a long text', LONG],
    ['long texts in a structure', { a: [LONG, 'short', { b: LONG }], c: undefined, d: 'after' }],
    ['an empty text', ''],
  ])('are so for %s', (_name, value) => {
    // Compared apart from the matcher, whose report of a difference would be megabytes.
    expect([...toJsonPieces(value)].join('') === JSON.stringify(value)).toBe(true);
  });

  it('are bounded', () => {
    const lengths = [...toJsonPieces([LONG])].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(6 * (PIECE_CHARACTERS + 1));
  });
});

describe('the pieces of a text', () => {
  it('concatenate to the encoded text, and divide no surrogate pair', async () => {
    const text = `${'x'.repeat(PIECE_CHARACTERS - 1)}${PAIR.repeat(PIECE_CHARACTERS)}`;
    const pieces = [...splitIntoPieces(text)];
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(Buffer.concat(await encodePieces(pieces)).equals(Buffer.from(text))).toBe(true);
  });

  it('are none for an empty text', async () => {
    expect([...splitIntoPieces('')]).toEqual([]);
    await expect(encodePieces([])).resolves.toEqual([]);
  });
});
