import { describe, expect, it } from '@jest/globals';
import { parseKib } from './memory.ts';

describe('parseKib', () => {
  it('reads exactly the field that is asked for', () => {
    const text = 'Rss:                1712 kB\nPss:                 352 kB\nPss_Dirty:           112 kB\n';
    expect(parseKib(text, 'Pss')).toBe(352);
    expect(parseKib(text, 'VmRSS')).toBeUndefined();
  });
});
