import { describe, expect, it } from '@jest/globals';
import { reportMarkdown, reportText } from './report.ts';
import {
  type AudioWindow,
  type IdleWindow,
  type LatencyWindow,
  type Results,
  type StoredWindow,
  type ThroughputWindow,
} from './results.ts';

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

function idle(target: string, warmPerSecond: number, firstPerSecond: number): IdleWindow {
  return { kind: 'idle', target, round: 1, warmPerSecond, firstPerSecond, ratio: firstPerSecond / warmPerSecond, ...quiet };
}

function stored(database: 'small' | 'grown', round: number, cpuMicrosEach: number): StoredWindow {
  const counts = { size: 1_000, storedBefore: 10, storedAfter: 20, answered: 10, perSecond: 1e6 / cpuMicrosEach };
  return { kind: 'stored', target: 'parley-single', round, database, turns: 'new', cpuMicrosEach, ...counts, ...quiet };
}

function audio(round: number, p99Ms: number, besideJobsP99Ms: number): AudioWindow {
  const pace = { audioSeconds: 600, jobsPerMinute: 100 * round, cpuMillisPerAudioSecond: 10 };
  const chat = { p50Ms: 1, p99Ms, besideJobsP50Ms: 2, besideJobsP99Ms };
  return { kind: 'audio', target: 'parley-single', round, ...pace, ...chat, ...quiet };
}

const RESULTS: Results = {
  startedAt: '2030-01-01T00:00:00Z',
  command: 'npm run bench',
  machine: { cpu: 'a cpu', cores: 2, node: 'v20', kernel: 'Linux', pinning: 'pinned' },
  settings: { rounds: 3, seconds: 4, warmSeconds: 2, connections: 32, streams: 1000, idleSeconds: 60, storedSizes: [10, 1_000] },
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

  it('gives the first second as a part of the warm rate, and the cost with many stored conversations round by round', () => {
    const windows = [
      idle('portkey', 1_000, 300),
      stored('small', 1, 200),
      stored('grown', 1, 220),
      stored('small', 2, 400),
      stored('grown', 2, 400),
    ];
    const text = reportText({ ...RESULTS, windows });
    expect(cells(text.slice(text.indexOf('First second')), 'portkey', /\s{2,}/)).toEqual(['portkey', '1,000', '300', '0.30', '0.30–0.30']);
    const row = cells(text.slice(text.indexOf('many stored')), '1,000', /\s{2,}/);
    expect(row.slice(0, 6)).toEqual(['1,000', 'new', '310', '300', '1.05', '1.00–1.10']);
  });

  it('gives what speech jobs cost, and the p99 of chat beside them round by round', () => {
    const text = reportText({ ...RESULTS, windows: [audio(1, 10, 11), audio(2, 20, 30), audio(3, 10, 40)] });
    const row = cells(text.slice(text.indexOf('Speech jobs')), 'parley-single', /\s{2,}/);
    expect(row).toEqual(['parley-single', '200', '100–300', '10.0', '10.0–10.0', '1.00', '2.00', '10.00', '30.00', '1.50', '1.10–4.00']);
    expect(text).toMatch(/p99 of chat beside 4 speech jobs.* 1\.50 +MISSED/);
  });

  it('holds every goal that was measured against its bound', () => {
    const windows = [...RESULTS.windows, idle('parley-single', 1_000, 849), stored('small', 1, 200), stored('grown', 1, 190)];
    const text = reportText({ ...RESULTS, windows });
    const goals = text.slice(text.indexOf('\nGoals\n'));
    const verdict = (goal: string): string[] => (goals.split('\n').find((line) => line.startsWith(goal)) ?? '').split(/\s{2,}/).slice(1, 5);
    expect(verdict('requests/s, × portkey')).toEqual(['parley-single', '≥ 5 (stretch 8)', '5.00', 'met']);
    expect(verdict('added p50')).toEqual(['parley-single', '≤ 0.7', '0.50', 'met']);
    expect(verdict('first chunk')).toEqual(['parley-single', '≤ 0.66', '1.00', 'MISSED']);
    expect(verdict('first second')).toEqual(['parley-single', '≥ 0.85', '0.85', 'MISSED']);
    expect(verdict('CPU per turn')).toEqual(['parley-single', '0.9–1.1', '0.95', 'met']);
    expect(goals).not.toContain('parley-separate');
  });

  it('says of a goal whose base was not run that it was not measured', () => {
    const text = reportText({ ...RESULTS, windows: [requests('parley-single', 1, 5_000, 140)] });
    expect(text).toMatch(/requests\/s, × portkey .* not measured/);
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
