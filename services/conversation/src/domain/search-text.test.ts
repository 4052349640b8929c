import { describe, expect, it } from '@jest/globals';
import { MAX_SEARCHED, toLikePattern, toSearchText } from './search-text.ts';

describe('search text', () => {
  it('is equal for both cases and both Unicode forms of a letter', () => {
    expect(toSearchText('ÄRGER\0')).toBe('ärger');
    expect(toSearchText('A\u0308rger')).toBe('ärger');
  });

  it('has a maximum length', () => {
    expect(toSearchText('x'.repeat(MAX_SEARCHED + 1))).toHaveLength(MAX_SEARCHED);
  });

  it('is matched literally', () => {
    expect(toLikePattern('50%_\\Off')).toBe('%50\\%\\_\\\\off%');
  });
});
