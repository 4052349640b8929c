import { ratio, spreadOf } from '../measure/statistics.ts';
import { type MemoryWindow, type Results } from '../results.ts';
import { figure, range, remarks, times } from './cells.ts';
import { memory } from './figures.ts';
import { type Table } from './table.ts';

const KIB_PER_MIB = 1024;

/** Memory per open stream; undefined when it was not run. */
export function memoryTable(results: Results): Table | undefined {
  const windows = results.windows.filter((window): window is MemoryWindow => window.kind === 'memory');
  if (windows.length === 0) return undefined;
  const of = (target: string): MemoryWindow[] => windows.filter((window) => window.target === target);
  const perStream = (target: string) => memory(results, target);
  const mib = (target: string, figure: 'baseKib' | 'openKib'): number | undefined => {
    const spread = spreadOf(of(target).map((window) => window[figure]));
    return spread && spread.median / KIB_PER_MIB;
  };
  return {
    title: `Memory with ${results.settings.streams} open streams, all processes of the target; per stream: the second half of them`,
    columns: ['target', 'KiB/stream', 'min–max', '× node-proxy', '× portkey', 'MiB before', 'MiB with streams', 'remarks'],
    rows: [...new Set(windows.map(({ target }) => target))].map((target) => [
      target,
      figure(perStream(target)?.median, 1),
      range(perStream(target), 1),
      times(ratio(perStream(target), perStream('node-proxy'))),
      times(ratio(perStream(target), perStream('portkey'))),
      figure(mib(target, 'baseKib')),
      figure(mib(target, 'openKib')),
      remarks(of(target)),
    ]),
  };
}
