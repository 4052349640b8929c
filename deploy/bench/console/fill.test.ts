import { describe, expect, it } from '@jest/globals';
import { copyLine } from './fill.ts';

describe('a line of COPY', () => {
  it('keeps what a text holds, and knows nulls and lists', () => {
    expect(copyLine(['a\tb\nc\\d', 7, null, ['x', 'y']])).toBe('a\\tb\\nc\\\\d\t7\t\\N\t{"x","y"}\n');
  });
});
