import { describe, expect, it } from '@jest/globals';
import { dayBefore, toEarliestSince, isBeyondDetailRetention, toReportSpan } from './report-span.ts';

const NOW = Date.parse('2026-03-01T00:30:00Z');

describe('the time of a report', () => {
  it('is a week unless something else is asked for', () => {
    expect(toReportSpan({})).toEqual({ period: '7d' });
    expect(toReportSpan({ period: '24h' })).toEqual({ period: '24h' });
  });

  it('is chosen days where both are there, in their order', () => {
    const days = { since: '2026-02-01', until: '2026-02-03' };
    expect(toReportSpan({ period: '24h', ...days })).toEqual(days);
    expect(toReportSpan({ since: '2026-02-03', until: '2026-02-01' })).toEqual({ period: '7d' });
    expect(toReportSpan({ since: '2026-02-03' })).toEqual({ period: '7d' });
  });

  it('counts days in UTC, over the ends of months', () => {
    expect([dayBefore(NOW, 0), dayBefore(NOW, 1)]).toEqual(['2026-03-01', '2026-02-28']);
    expect(toEarliestSince('2026-02-04')).toBe('2025-01-01');
  });

  it('knows from when on sums alone are kept', () => {
    expect(isBeyondDetailRetention({ since: '2026-01-28', until: '2026-02-01' }, NOW)).toBe(false);
    expect(isBeyondDetailRetention({ since: '2026-01-27', until: '2026-02-01' }, NOW)).toBe(true);
    expect(isBeyondDetailRetention({ period: '30d' }, NOW)).toBe(false);
  });
});
