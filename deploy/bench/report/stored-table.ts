import { spreadOf } from '../measure/statistics.ts';
import { type Results, type StoredTurns, type StoredWindow } from '../results.ts';
import { figure, range, remarks, times } from './cells.ts';
import { storedRatio, storedSizes, storedWindows } from './figures.ts';
import { type Table } from './table.ts';

/** What a turn costs with few and with many stored conversations; undefined when it was not run. */
export function storedTable(results: Results): Table | undefined {
  const sizes = storedSizes(results);
  if (sizes.length === 0) return undefined;
  return {
    title:
      'Turns with many stored conversations beside turns with few (10; 20,000 where each continues one), two Parleys in turn; ratios round by round',
    columns: ['stored', 'turns', 'CPU µs/turn', 'with few', 'CPU ×', 'min–max', 'turns/s', 'with few', 'turns/s ×', 'min–max', 'remarks'],
    rows: sizes.flatMap((size) =>
      (['new', 'continued'] as const)
        .filter((turns) => storedWindows(results, size, turns).length > 0)
        .map((turns) => row(results, size, turns)),
    ),
  };
}

function row(results: Results, size: number, turns: StoredTurns): string[] {
  const windows = storedWindows(results, size, turns);
  const median = (database: StoredWindow['database'], of: 'cpuMicrosEach' | 'perSecond'): string =>
    figure(spreadOf(windows.filter((window) => window.database === database).map((window) => window[of]))?.median);
  const [cost, rate] = [storedRatio(results, size, turns, 'cpuMicrosEach'), storedRatio(results, size, turns, 'perSecond')];
  return [
    figure(size),
    turns,
    median('grown', 'cpuMicrosEach'),
    median('small', 'cpuMicrosEach'),
    times(cost?.median),
    range(cost, 2),
    median('grown', 'perSecond'),
    median('small', 'perSecond'),
    times(rate?.median),
    range(rate, 2),
    remarks(windows),
  ];
}
