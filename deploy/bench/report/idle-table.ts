import { spreadOf } from '../measure/statistics.ts';
import { type IdleWindow, type Results } from '../results.ts';
import { figure, range, remarks, times } from './cells.ts';
import { wakeRatio } from './figures.ts';
import { type Table } from './table.ts';

/** The first second after a rest; undefined when it was not run. */
export function idleTable(results: Results): Table | undefined {
  const windows = results.windows.filter((window): window is IdleWindow => window.kind === 'idle');
  if (windows.length === 0) return undefined;
  return {
    title: `First second of requests after ${results.settings.idleSeconds} s without any`,
    columns: ['target', 'warm requests/s', 'first second', '× warm', 'min–max', 'remarks'],
    rows: [...new Set(windows.map(({ target }) => target))].map((target) => {
      const own = windows.filter((window) => window.target === target);
      return [
        target,
        figure(spreadOf(own.map(({ warmPerSecond }) => warmPerSecond))?.median),
        figure(spreadOf(own.map(({ firstPerSecond }) => firstPerSecond))?.median),
        times(wakeRatio(results, target)?.median),
        range(wakeRatio(results, target), 2),
        remarks(own),
      ];
    }),
  };
}
