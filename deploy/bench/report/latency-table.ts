import { spreadOf } from '../measure/statistics.ts';
import { type LatencyWindow, type Results } from '../results.ts';
import { figure, range, remarks, times } from './cells.ts';
import { type Table } from './table.ts';

type Figure = 'p50Ms' | 'p99Ms' | 'firstChunkP50Ms' | 'chunkDelayP50Ms';

/** What each target adds to a quiet upstream, in ms; undefined when it was not run. */
export function latencyTable(results: Results): Table | undefined {
  const windows = results.windows.filter((window): window is LatencyWindow => window.kind === 'latency');
  if (windows.length === 0) return undefined;
  const of = (target: string): LatencyWindow[] => windows.filter((window) => window.target === target);
  const median = (target: string, figure: Figure): number | undefined => spreadOf(of(target).map((window) => window[figure]))?.median;
  const added = (target: string, figure: Figure): number | undefined => {
    const [own, direct] = [median(target, figure), median('direct', figure)];
    return own === undefined || direct === undefined || target === 'direct' ? undefined : own - direct;
  };
  const againstPortkey = (target: string): number | undefined => {
    const [own, portkey] = [added(target, 'p50Ms'), added('portkey', 'p50Ms')];
    return own === undefined || portkey === undefined || portkey <= 0 ? undefined : own / portkey;
  };
  const rows = [...new Set(windows.map(({ target }) => target))].map((target) => [
    target,
    figure(median(target, 'p50Ms'), 2),
    range(spreadOf(of(target).map((window) => window.p50Ms)), 2),
    figure(median(target, 'p99Ms'), 2),
    figure(added(target, 'p50Ms'), 2),
    times(againstPortkey(target)),
    figure(added(target, 'p99Ms'), 2),
    figure(added(target, 'firstChunkP50Ms'), 2),
    figure(added(target, 'chunkDelayP50Ms'), 2),
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
