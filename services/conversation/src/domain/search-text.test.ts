import { describe, expect, it } from '@jest/globals';
import { MAX_SEARCHED, toLikePattern, toSearchText } from './search-text.ts';

describe('text that is searched', () => {
  it('is the same for capitals and for both spellings of a letter', () => {
    expect(toSearchText('ÄRGER\0')).toBe('ärger');
    expect(toSearchText('A\u0308rger')).toBe('ärger');
  });

  it('has a bound', () => {
    expect(toSearchText('x'.repeat(MAX_SEARCHED + 1))).toHaveLength(MAX_SEARCHED);
  });

  it('is looked for literally', () => {
    expect(toLikePattern('50%_\\Off')).toBe('%50\\%\\_\\\\off%');
  });
});
