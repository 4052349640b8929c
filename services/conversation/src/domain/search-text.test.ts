import { describe, expect, it } from '@jest/globals';
import { MAX_SEARCHED, containing, searchable } from './search-text.ts';

describe('text that is searched', () => {
  it('is the same for capitals and for both spellings of a letter', () => {
    expect(searchable('ÄRGER\0')).toBe('ärger');
    expect(searchable('A\u0308rger')).toBe('ärger');
  });

  it('has a bound', () => {
    expect(searchable('x'.repeat(MAX_SEARCHED + 1))).toHaveLength(MAX_SEARCHED);
  });

  it('is looked for literally', () => {
    expect(containing('50%_\\Off')).toBe('%50\\%\\_\\\\off%');
  });
});
