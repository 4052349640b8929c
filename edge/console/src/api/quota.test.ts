import { describe, expect, it } from '@jest/globals';
import { sortByUsedShare, filterNearLimit, parseQuota, type QuotaUse, formatQuota } from './quota.ts';

const use = (metric: QuotaUse['metric'], used: number, limit: number): QuotaUse => ({
  ...{ metric, used, limit, window_seconds: 60, window_ends_at: '2026-06-15T12:31:00.000Z' },
});

describe('a quota as it is written', () => {
  it.each([
    ['10000 per 1 day', { limit: 10_000, periods: 1, unit: 'day' }],
    ['5 per 24 hours', { limit: 5, periods: 24, unit: 'hour' }],
    ['60 per 1 minute', { limit: 60, periods: 1, unit: 'minute' }],
  ])('%s is read and written back', (text, quota) => {
    const read = parseQuota(text);
    expect(read).toEqual(quota);
    expect(read && formatQuota(read)).toBe(text);
  });

  it.each([null, 'unlimited', 'often'])('%s is none', (text) => {
    expect(parseQuota(text)).toBeUndefined();
  });
});

describe('quotas in use', () => {
  const all = [use('requests', 7, 10), use('tokens', 130, 100), use('audio_seconds', 8, 10)];

  it('are in the order of the share that is used', () => {
    expect(sortByUsedShare(all).map(({ metric }) => metric)).toEqual(['tokens', 'audio_seconds', 'requests']);
  });

  it('are near their limit from four fifths on', () => {
    expect(filterNearLimit(all).map(({ metric }) => metric)).toEqual(['tokens', 'audio_seconds']);
    expect(filterNearLimit([])).toEqual([]);
  });
});
