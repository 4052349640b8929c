import { describe, expect, it } from '@jest/globals';
import { type Counters, createEmptyCounters } from './counters.ts';
import { buildReport, toReportScope, type UsageRow } from './report.ts';

const DAYS = ['2026-03-08', '2026-03-09', '2026-03-10'];
const KEY = { kind: 'api_key', workspaceId: 'w', keyId: 'k' } as const;
const row = (day: string, model: string, part: Partial<Counters>): UsageRow => ({ day, model, ...createEmptyCounters(), ...part });

describe('toReportScope', () => {
  it('shows a key its own usage', () => expect(toReportScope({ workspaceId: 'w', keyId: 'k' })).toEqual(KEY));
  it('shows a caller without a key the workspace it acts in', () =>
    expect(toReportScope({ workspaceId: 'w', keyId: '' })).toEqual({ kind: 'workspace', workspaceId: 'w' }));
  it('shows a caller without key and workspace everything', () =>
    expect(toReportScope({ workspaceId: '', keyId: '' })).toEqual({ kind: 'all' }));
});

describe('buildReport', () => {
  it('has every day with zeros without usage', () => {
    expect(buildReport('7d', KEY, DAYS, [])).toEqual({
      period: '7d',
      scope: 'api_key',
      totalRequests: 0,
      successful: 0,
      errors: 0,
      rateLimited: 0,
      totalTokensIn: 0,
      totalTokensOut: 0,
      totalDurationMs: 0,
      byModel: [],
      byDay: DAYS.map((date) => ({ date, requests: 0, tokens: 0 })),
    });
  });

  it('sums by model and by day', () => {
    const report = buildReport('7d', { kind: 'all' }, DAYS, [
      row('2026-03-08', 'b', { successful: 2, tokensIn: 3, tokensOut: 4, durationMs: 50 }),
      row('2026-03-10', 'b', { errors: 1, tokensIn: 1 }),
      row('2026-03-10', 'a', { rateLimited: 3 }),
      row('2026-03-10', 'c', { successful: 5, tokensOut: 6, durationMs: 70 }),
    ]);
    expect(report).toMatchObject({ scope: 'all', totalRequests: 11, successful: 7, errors: 1, rateLimited: 3 });
    expect(report).toMatchObject({ totalTokensIn: 4, totalTokensOut: 10, totalDurationMs: 120 });
    expect(report.byModel).toEqual([
      { model: 'c', requests: 5, tokensIn: 0, tokensOut: 6 },
      { model: 'a', requests: 3, tokensIn: 0, tokensOut: 0 },
      { model: 'b', requests: 3, tokensIn: 4, tokensOut: 4 },
    ]);
    expect(report.byDay).toEqual([
      { date: '2026-03-08', requests: 2, tokens: 7 },
      { date: '2026-03-09', requests: 0, tokens: 0 },
      { date: '2026-03-10', requests: 9, tokens: 7 },
    ]);
  });

  it('counts rejected requests without a model in the totals and the day only', () => {
    const report = buildReport('24h', KEY, DAYS, [row('2026-03-09', '', { errors: 1, rateLimited: 2 })]);
    expect(report).toMatchObject({ totalRequests: 3, errors: 1, rateLimited: 2, byModel: [] });
    expect(report.byDay[1]).toEqual({ date: '2026-03-09', requests: 3, tokens: 0 });
  });
});
