import { describe, expect, it } from '@jest/globals';
import { isValidQuotaChoice, parseQuotaChoice, formatQuotaChoice } from './quota-choice.ts';

describe('a quota', () => {
  it.each([null, 'unlimited', '10000 per 1 day', '60 per 30 minutes', '5 per 2 hours'])('%s is written as it was read', (text) => {
    expect(formatQuotaChoice(parseQuotaChoice(text))).toBe(text);
  });

  it('may leave out a period of one', () => {
    expect(formatQuotaChoice(parseQuotaChoice('7 per hour'))).toBe('7 per 1 hour');
  });

  it.each([
    ['', '1', false],
    ['0', '1', false],
    ['1.5', '1', false],
    ['10', '0', false],
    ['10', '2', true],
  ])('of %s in %s periods is good: %s', (points, periods, good) => {
    expect(isValidQuotaChoice({ kind: 'limit', points, periods, unit: 'day' })).toBe(good);
  });
});
