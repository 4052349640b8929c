import { spreadOf } from '../measure/statistics.ts';
import { type LatencyWindow, type Results } from '../results.ts';
import { figure, range, remarks, times } from './cells.ts';
import { addedMs, addedRatio, latency } from './figures.ts';
import { type Table } from './table.ts';

/** What each target adds to a quiet upstream, in ms; undefined when it was not run. */
export function latencyTable(results: Results): Table | undefined {
  const windows = results.windows.filter((window): window is LatencyWindow => window.kind === 'latency');
  if (windows.length === 0) return undefined;
  const of = (target: string): LatencyWindow[] => windows.filter((window) => window.target === target);
  const rows = [...new Set(windows.map(({ target }) => target))].map((target) => [
    target,
    figure(latency(results, target, 'p50Ms'), 2),
    range(spreadOf(of(target).map((window) => window.p50Ms)), 2),
    figure(latency(results, target, 'p99Ms'), 2),
    figure(addedMs(results, target, 'p50Ms'), 2),
    times(addedRatio(results, target, 'portkey', 'p50Ms')),
    figure(addedMs(results, target, 'p99Ms'), 2),
    figure(addedMs(results, target, 'firstChunkP50Ms'), 2),
    figure(addedMs(results, target, 'chunkDelayP50Ms'), 2),
    remarks(of(target)),
  ]);
  return {
    title: 'Latency in ms at 100 requests/s and at 10 streams/s; added = over direct',
    columns: [
      'target',
      'p50',
      'min–max',
      'p99',
      'added p50',
      '× portkey',
      'added p99',
      'first chunk added p50',
      'per chunk added p50',
      'remarks',
    ],
    rows,
  };
}
