import { spreadOf } from '../measure/statistics.ts';
import { type AudioWindow, type Results } from '../results.ts';
import { JOBS_AT_WORK } from '../run/audio.ts';
import { figure, range, remarks, times } from './cells.ts';
import { besideJobsRatio } from './figures.ts';
import { type Table } from './table.ts';

/** What speech jobs cost, and what chat notices of them; undefined when it was not run. */
export function audioTable(results: Results): Table | undefined {
  const windows = results.windows.filter((window): window is AudioWindow => window.kind === 'audio');
  if (windows.length === 0) return undefined;
  return {
    title: `Speech jobs of 1,000 characters (embedded engine), and chat at 100 requests/s beside ${JOBS_AT_WORK} jobs; times in ms, ratios round by round`,
    columns: [
      'target',
      'jobs/min',
      'min–max',
      'CPU ms per s of audio',
      'min–max',
      'chat p50',
      'beside jobs',
      'chat p99',
      'beside jobs',
      'p99 ×',
      'min–max',
      'remarks',
    ],
    rows: [...new Set(windows.map(({ target }) => target))].map((target) => row(results, target, windows)),
  };
}

function row(results: Results, target: string, windows: readonly AudioWindow[]): string[] {
  const own = windows.filter((window) => window.target === target);
  const spread = (of: 'jobsPerMinute' | 'cpuMillisPerAudioSecond' | 'p50Ms' | 'p99Ms' | 'besideJobsP50Ms' | 'besideJobsP99Ms') =>
    spreadOf(own.map((window) => window[of]));
  const ratio = besideJobsRatio(results, target);
  return [
    target,
    figure(spread('jobsPerMinute')?.median),
    range(spread('jobsPerMinute')),
    figure(spread('cpuMillisPerAudioSecond')?.median, 1),
    range(spread('cpuMillisPerAudioSecond'), 1),
    figure(spread('p50Ms')?.median, 2),
    figure(spread('besideJobsP50Ms')?.median, 2),
    figure(spread('p99Ms')?.median, 2),
    figure(spread('besideJobsP99Ms')?.median, 2),
    times(ratio?.median),
    range(ratio, 2),
    remarks(own),
  ];
}
