import { describe, expect, it } from '@jest/globals';
import { reportMarkdown, reportText } from './report.ts';
import { type LatencyWindow, type Results, type ThroughputWindow } from './results.ts';

const quiet = { foreignShare: 0.01, noisy: false, attempts: 1, failures: {} };

function requests(target: string, round: number, perSecond: number, cpuMicrosEach: number, extra: Partial<ThroughputWindow> = {}) {
  const counts = {
    answered: perSecond * 4,
    seconds: 4,
    perSecond,
    cpuMicrosEach,
    targetCores: 1,
    loadCores: 0.5,
    mockBound: false,
    settleMs: 0,
  };
  return { kind: 'requests' as const, target, round, ...counts, ...quiet, ...extra };
}

function latency(target: string, p50Ms: number): LatencyWindow {
  const rest = { p99Ms: p50Ms * 2, firstChunkP50Ms: p50Ms, firstChunkP99Ms: p50Ms, chunkDelayP50Ms: 0.1 };
  return { kind: 'latency', target, round: 1, p50Ms, ...rest, ...quiet };
}

const RESULTS: Results = {
  startedAt: '2030-01-01T00:00:00Z',
  command: 'npm run bench',
  machine: { cpu: 'a cpu', cores: 2, node: 'v20', kernel: 'Linux', pinning: 'pinned' },
  settings: { rounds: 3, seconds: 4, warmSeconds: 2, connections: 32, streams: 1000 },
  versions: { portkey: '1.15.2' },
  notAvailable: { nginx: 'no | apt-get' },
  windows: [
    requests('direct', 1, 20_000, 15, { mockBound: true }),
    requests('portkey', 1, 900, 900),
    requests('portkey', 2, 1_000, 800, { noisy: true }),
    requests('portkey', 3, 1_100, 700, { failures: { 'status 500': 2 } }),
    requests('parley-single', 1, 5_000, 140),
    latency('direct', 0.3),
    latency('portkey', 2.3),
    latency('parley-single', 1.3),
  ],
  verifications: [{ target: 'parley-single', during: 'requests', answered: 20_000, ok: true, summary: 'verified: 20000 of 20000' }],
};

const cells = (text: string, target: string, separator: RegExp): string[] =>
  (text.split('\n').find((line) => line.replace(/^\| /, '').startsWith(`${target} `)) ?? '').split(separator).filter((cell) => cell !== '');

describe('report', () => {
  it('gives medians, ranges and ratios to every base of the same run', () => {
    const text = reportText(RESULTS);
    const row = cells(text.slice(text.indexOf('Non-streaming')), 'portkey', /\s{2,}/);
    expect(row).toEqual([
      'portkey',
      '1,000',
      '900–1,100',
      '0.05',
      '–',
      '–',
      '1.00',
      '800',
      '700–900',
      '–',
      'noisy (1 of 3); FAILED: 2 × status 500',
    ]);
    expect(cells(text.slice(text.indexOf('Non-streaming')), 'parley-single', /\s{2,}/)[6]).toBe('5.00');
    expect(text).toContain('bound by the mock (1 of 1)');
  });

  it('gives what a target adds over direct, and how that compares with Portkey', () => {
    const text = reportText(RESULTS);
    const row = cells(text.slice(text.indexOf('Latency')), 'parley-single', /\s{2,}/);
    expect(row.slice(0, 7)).toEqual(['parley-single', '1.30', '1.30–1.30', '2.60', '1.00', '0.50', '2.00']);
  });

  it('says what could not be had and what was verified', () => {
    for (const text of [reportText(RESULTS), reportMarkdown(RESULTS)]) {
      expect(text).toContain('nginx: not available: no | apt-get');
      expect(text).toContain('parley-single (requests): verified: 20000 of 20000');
    }
  });

  it('leaves out the tables of scenarios that were not run', () => {
    expect(reportText(RESULTS)).not.toContain('Memory');
    expect(reportMarkdown(RESULTS)).toContain('### Non-streaming requests');
    expect(reportMarkdown(RESULTS)).toContain('Made with `npm run bench`.');
  });
});
