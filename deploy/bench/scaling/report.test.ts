import { describe, expect, it } from '@jest/globals';
import { parseScalingOptions } from './options.ts';
import { scales, scalingMarkdown, toSteps } from './report.ts';
import { type ScalingResults, type ScalingWindow } from './results.ts';

const window = (replicas: number, perSecond: number, failures = {}): ScalingWindow => ({
  ...{ replicas, round: 1, perSecond, failures },
  ...{ edgeUsed: 0.7, routingUsed: 0.99, otherCores: 0.2 * replicas },
});

const results = (windows: ScalingWindow[], ok = true): ScalingResults => ({
  startedAt: '2026-01-01T00:00:00Z',
  command: 'npm run bench -- scaling',
  machine: { cpu: 'a processor', cores: 2, node: 'v20', kernel: 'linux', pinning: 'pinned' },
  options: parseScalingOptions([]),
  windows,
  databaseBytesPerTurn: 4_000.4,
  verification: { ok, summary: 'verified: 9 of 9' },
});

describe('the report of replicas', () => {
  it('says what each of them adds to the rate of the first, by medians', () => {
    const windows = [window(1, 90), window(1, 100), window(1, 400), window(2, 195), window(3, 280)];
    expect(toSteps(windows)).toMatchObject([
      { replicas: 1, perSecond: 100, added: 1 },
      { replicas: 2, perSecond: 195, added: 0.95 },
      { replicas: 3, perSecond: 280, added: 0.85 },
    ]);
    const report = scalingMarkdown(results(windows));
    expect(report).toContain('grew by 4,000 bytes with each turn');
    expect(report).toContain('| 2 | 195 | 0.95 | 70 % | 99 % | 40 % of a core | met |');
    expect(report).toContain('| 3 | 280 | 0.85 | 70 % | 99 % | 60 % of a core | MISSED |');
  });

  it('is content only with right answers and a record that agrees', () => {
    const windows = [window(1, 100), window(2, 195)];
    expect(scales(results(windows))).toBe(true);
    expect(scales(results([...windows, window(3, 250)]))).toBe(false);
    expect(scales(results(windows, false))).toBe(false);
    const failed = results([window(1, 100), window(2, 195, { 'status 503': 2 })]);
    expect(scales(failed)).toBe(false);
    expect(scalingMarkdown(failed)).toContain('FAILED: status 503 (2)');
  });
});

describe('the options of replicas', () => {
  it('have three of each by default', () => {
    expect(parseScalingOptions([])).toMatchObject({ replicas: 3, edge: 8, routing: 14, rounds: 3, seconds: 15, connections: 256 });
    expect(parseScalingOptions(['--replicas', '2', '--json', 'x.json'])).toMatchObject({ replicas: 2, jsonFile: 'x.json' });
  });
});
