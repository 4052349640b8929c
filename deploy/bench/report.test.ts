import { describe, expect, it } from '@jest/globals';
import { reportMarkdown, reportText } from './report.ts';
import {
  type AudioWindow,
  type CostWindow,
  type IdleWindow,
  type LatencyWindow,
  type Results,
  type StoredWindow,
  type ThroughputWindow,
} from './results.ts';

const quiet = { foreignShare: 0.01, noisy: false, attempts: 1, failures: {} };

function requests(target: string, round: number, perSecond: number, cpuMicrosEach: number, extra: Partial<ThroughputWindow> = {}) {
  const counts = {
    answered: perSecond * 30,
    seconds: 30,
    perSecond,
    sustainedPerSecond: perSecond,
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

function cost(target: string, round: number, cpuMicrosEach: number, walBytes?: number): CostWindow {
  const parts = { inLoadMicrosEach: cpuMicrosEach / 2, afterwardsMicrosEach: cpuMicrosEach / 2, idleCores: 0.002, busyMs: 1_500 };
  const processes = [{ name: 'node: single', each: cpuMicrosEach }];
  const wal = walBytes === undefined ? {} : { wal: { bytesEach: walBytes, fullPagesEach: 0, processes: [] } };
  const text = 'WITH a AS (INSERT INTO messages SELECT 1) UPDATE turns SET x = $1';
  const statements = [{ text, calls: 0.1, micros: 50, rows: 1, walBytes: 2_000 }];
  const counts = { turns: 'new' as const, answered: 100, perSecond: 10, cpuMicrosEach };
  return { kind: 'cost', target, round, ...counts, ...parts, processes, ...wal, statements, ...quiet };
}

const RESULTS: Results = {
  startedAt: '2030-01-01T00:00:00Z',
  command: 'npm run bench',
  machine: { cpu: 'a cpu', cores: 2, node: 'v20', kernel: 'Linux', pinning: 'pinned' },
  settings: {
    rounds: 3,
    throughputSeconds: 30,
    seconds: 4,
    warmSeconds: 2,
    connections: 32,
    turns: 100,
    streams: 1000,
    idleSeconds: 60,
    storedSizes: [10, 1_000],
  },
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
      '1,000',
      '0.05',
      '–',
      '–',
      '1.00',
      '800',
      'noisy (1 of 3); FAILED: 2 × status 500',
    ]);
    expect(cells(text.slice(text.indexOf('Non-streaming')), 'parley-single', /\s{2,}/)[7]).toBe('5.00');
    expect(text).toContain('bound by the mock (1 of 1)');
  });

  it('gives what a turn costs in all, as a multiple of the proxy, and what it writes', () => {
    const windows = [cost('node-proxy', 1, 100), cost('parley-single', 1, 380, 5_000), cost('parley-single', 2, 420, 7_000)];
    const text = reportText({ ...RESULTS, windows });
    const row = cells(text.slice(text.indexOf('What a turn costs')), 'parley-single', /\s{2,}/);
    expect(row).toEqual(['parley-single', 'new conversations', '400', '380–420', '4.00', '200', '200', '1.5', '0.20', '6,000', '0']);
    expect(text).toMatch(/node: single +400\.0/);
    expect(text).toMatch(/writes messages, turns: .* 50\.0 +0\.100 +1\.00 +2,000/);
    expect(text).toMatch(/CPU of a whole non-streaming turn, × node-proxy +parley-single +≤ 4\.5 \(aim 3\) +4\.00 +met\n/);
    expect(text).toMatch(/WAL of a turn in KiB +parley-single +≤ 6 \(aim 4\) +5\.86 +met\n/);
  });

  it('counts the time in which put off work is done, and marks windows that are too short to show it', () => {
    const waiting = { turns: 0, messages: 0, outboxRows: 0 };
    const putOff = { before: waiting, after: { ...waiting, turns: 9_000 }, grown: true, workedOffMs: 30_000 };
    const windows = [
      requests('portkey', 1, 1_000, 900, { seconds: 10 }),
      requests('parley-single', 1, 5_000, 140, { sustainedPerSecond: 2_500, putOff }),
      requests('parley-separate', 1, 900, 140, { seconds: 4, putOff: { ...putOff, grown: false, workedOffMs: 0 } }),
    ];
    const text = reportText({ ...RESULTS, windows });
    const row = (target: string) => cells(text.slice(text.indexOf('Non-streaming')), target, /\s{2,}/);
    expect(row('parley-single').slice(1, 4)).toEqual(['2,500', '2,500–2,500', '5,000']);
    expect(row('parley-single').at(-1)).toBe('puts work off (1 of 1)');
    expect(row('portkey').at(-1)).not.toContain('not sustained');
    expect(row('parley-separate').at(-1)).toBe('not sustained: windows shorter than 30 s');
    expect(text).toMatch(/sustained requests\/s, × portkey +parley-single +≥ 3 \(aim 5\) +2\.50 +MISSED/);
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
    expect(verdict('sustained requests/s, × portkey')).toEqual(['parley-single', '≥ 3 (aim 5)', '5.00', 'met, and the aim']);
    expect(verdict('added p50')).toEqual(['parley-single', '≤ 1 (aim 0.7)', '0.50', 'met, and the aim']);
    expect(verdict('first chunk')).toEqual(['parley-single', '≤ 1.2 (aim 0.7)', '1.00', 'met']);
    expect(verdict('first second')).toEqual(['parley-single', '≥ 0.85', '0.85', 'MISSED']);
    expect(verdict('CPU per turn with many')).toEqual(['parley-single', '0.9–1.1', '0.95', 'met']);
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
