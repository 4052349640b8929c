import { describe, expect, it } from '@jest/globals';
import { isPeriod, toDayRangeWindow, toReportWindow } from './period.ts';

describe('isPeriod', () => {
  it.each(['24h', '7d', '30d'])('accepts %s', (period) => expect(isPeriod(period)).toBe(true));
  it.each(['', '1h', '24H', '7d ', '365d', 'toString'])('rejects "%s"', (period) => expect(isPeriod(period)).toBe(false));
});

describe('toReportWindow', () => {
  it('starts 24h with the hour 24 hours ago', () => {
    const now = new Date('2026-03-10T12:34:56.789Z');
    expect(toReportWindow('24h', now)).toEqual({
      bucket: 'hour',
      since: new Date('2026-03-09T12:00:00.000Z'),
      until: now,
      days: ['2026-03-09', '2026-03-10'],
    });
  });

  it('has both days of the last 24 hours at either end of a day', () => {
    expect(toReportWindow('24h', new Date('2026-03-10T00:00:00.000Z')).days).toEqual(['2026-03-09', '2026-03-10']);
    expect(toReportWindow('24h', new Date('2026-03-10T23:59:59.999Z')).days).toEqual(['2026-03-09', '2026-03-10']);
  });

  it.each([
    ['7d', 7, '2026-02-24'],
    ['30d', 30, '2026-02-01'],
  ] as const)('ends %s with today and has every day', (period, count, first) => {
    const window = toReportWindow(period, new Date('2026-03-02T23:59:59.999Z'));
    expect(window).toMatchObject({ bucket: 'day', since: new Date(`${first}T00:00:00.000Z`) });
    expect(window.days).toHaveLength(count);
    expect(window.days[0]).toBe(first);
    expect(window.days.at(-1)).toBe('2026-03-02');
  });
});

describe('toDayRangeWindow', () => {
  it('has every day from the first to the last, to its end', () => {
    expect(toDayRangeWindow('2026-02-27', '2026-03-01')).toEqual({
      bucket: 'day',
      since: new Date('2026-02-27T00:00:00.000Z'),
      until: new Date('2026-03-01T23:59:59.999Z'),
      days: ['2026-02-27', '2026-02-28', '2026-03-01'],
    });
  });

  it('has 400 days at most', () => {
    expect(toDayRangeWindow('2025-01-01', '2026-02-04')?.days).toHaveLength(400);
    expect(toDayRangeWindow('2025-01-01', '2026-02-05')).toBeUndefined();
  });

  it.each([
    ['2026-03-02', '2026-03-01'],
    ['2026-02-30', '2026-03-01'],
    ['2026-3-1', '2026-03-02'],
    ['', '2026-03-01'],
  ])('is none from "%s" to "%s"', (since, until) => expect(toDayRangeWindow(since, until)).toBeUndefined());
});
