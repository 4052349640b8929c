import { describe, expect, it } from '@jest/globals';
import { requireStorableText } from './require-storable-text.ts';

describe('requireStorableText', () => {
  const refusal = (text: string) => {
    try {
      requireStorableText(text, JSON.parse(text));
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
