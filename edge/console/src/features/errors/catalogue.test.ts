import { describe, expect, it } from '@jest/globals';
import { ERROR_CODE_ENTRIES, findCodes } from './catalogue.ts';

describe('the search of errors', () => {
  it('finds a code in any spelling, and nothing else by its whole name', () => {
    expect(findCodes('revoked_api_KEY').map(({ code }) => code)).toEqual(['REVOKED_API_KEY']);
  });

  it('finds by status and words of the explanation together', () => {
    const found = findCodes('401 revoked');
    expect(found.map(({ code }) => code)).toContain('REVOKED_API_KEY');
    expect(found.every(({ conditions }) => conditions.some(({ http }) => http === 401))).toBe(true);
  });

  it('has each code once, and all without words', () => {
    expect(new Set(ERROR_CODE_ENTRIES.map(({ code }) => code)).size).toBe(ERROR_CODE_ENTRIES.length);
    expect(findCodes('  ')).toBe(ERROR_CODE_ENTRIES);
  });
});
