import { describe, expect, it } from '@jest/globals';
import { parseQuota, reportOf, writeQuota } from './quota.ts';

describe('a quota as it is written', () => {
  it.each([
    ['10000 per 1 day', { limit: 10_000, periods: 1, unit: 'day' }, '24h'],
    ['5 per 24 hours', { limit: 5, periods: 24, unit: 'hour' }, '24h'],
    ['70 per 7 days', { limit: 70, periods: 7, unit: 'day' }, '7d'],
    ['30 per 30 days', { limit: 30, periods: 30, unit: 'day' }, '30d'],
    ['60 per 1 minute', { limit: 60, periods: 1, unit: 'minute' }, undefined],
  ])('%s is read, written back, and measured by the report that fits', (text, quota, report) => {
    const read = parseQuota(text);
    expect(read).toEqual(quota);
    expect(read && writeQuota(read)).toBe(text);
    expect(read && reportOf(read)).toBe(report);
  });

  it.each([null, 'unlimited', 'often'])('%s is none', (text) => {
    expect(parseQuota(text)).toBeUndefined();
  });
});
