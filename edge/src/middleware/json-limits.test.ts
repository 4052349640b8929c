import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nestsDeeper, refuseBadText } from './json-limits.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('nestsDeeper', () => {
  it('agrees with the depth of the parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 6 }), (value, max) => {
        const text = ' '.repeat(max) + JSON.stringify(value);
        expect(nestsDeeper(text, max)).toBe(depthOf(value) > max);
      }),
    );
  });

  it.each([
    ['brackets in a string', '"[[[[["'],
    ['an escaped quote', '"\\"[[[[["'],
    ['an escaped backslash before the end', '["\\\\", 1, 2]'],
    ['a string that never ends', '"[[[[['],
  ])('is not misled by %s', (_name, text) => {
    expect(nestsDeeper(text, 1)).toBe(false);
  });
});

describe('refuseBadText', () => {
  const refusal = (text: string) => {
    try {
      refuseBadText(text, JSON.parse(text));
      return undefined;
    } catch (error) {
      return (error as { param: string }).param;
    }
  };

  it.each([
    ['{"a":[{"b":"\\u0000"}]}', 'a.0.b'],
    ['"\\ud800"', 'body'],
    ['{"x":{"\\udc00":1}}', 'x'],
    [`{"${'n'.repeat(500)}":"\\u0000"}`, 'n'.repeat(200)],
  ])('names the place in %s', (text, param) => {
    expect(refusal(text)).toBe(param);
  });

  it.each(['{"a":"\\ud83d\\ude00"}', '"\\\\u0000"', '"plain"', '"\\u00e9"'])('takes %s', (text) => {
    expect(refusal(text)).toBeUndefined();
  });
});
