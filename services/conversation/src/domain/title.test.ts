import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_DERIVED_TITLE_LENGTH, deriveTitle } from './title.ts';

describe('deriveTitle', () => {
  it.each([
    ['Hello there', 'Hello there'],
    ['  Plan\n\na *trip* to **Rome**  ', 'Plan a trip to Rome'],
    ['# Heading\n> quoted\n- item\n2. second', 'Heading quoted item second'],
    ['Explain [this page](https://example.com/a) and ![a cat](data:image/png;base64,AA)', 'Explain this page and a cat'],
    ['```ts\nconst a_b = 2 * 3;\n```', 'const a_b = 2 * 3;'],
    ['Use `npm ci` <b>now</b>', 'Use npm ci now'],
    ['a\u202Eb\u0007c', 'abc'],
    ['Was heißt „Übung“?', 'Was heißt „Übung“?'],
    ['---', ''],
    ['', ''],
  ])('of %j is %j', (text, title) => {
    expect(deriveTitle(text)).toBe(title);
  });

  it('cuts between words', () => {
    const text = 'Write a long and careful explanation of how tides work, for children who live by the sea';
    expect(deriveTitle(text)).toBe('Write a long and careful explanation of how tides work, for…');
  });

  it('cuts a script without spaces at the limit, and never within a character', () => {
    const title = deriveTitle('𠮷'.repeat(100));
    expect([...title]).toHaveLength(MAX_DERIVED_TITLE_LENGTH);
    expect(title).not.toMatch(/\p{Cs}/u);
  });

  it('is one short line that is its own title, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.lorem({ maxCount: 60 })), (text) => {
        const title = deriveTitle(text);
        expect([...title].length).toBeLessThanOrEqual(MAX_DERIVED_TITLE_LENGTH);
        expect(title).not.toMatch(/[\n\r\t\p{Cc}]|^\s|\s$/u);
        expect(deriveTitle(text)).toBe(title);
      }),
    );
  });
});
