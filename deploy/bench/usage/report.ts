import { figure, times } from '../report/cells.ts';
import { renderMarkdown, type Table } from '../report/table.ts';
import { type UsageCost } from './run.ts';

/** The costs of reports as a table, each beside its ratio to the one with the fewest records. */
export function usageMarkdown(costs: readonly UsageCost[]): string {
  const few = new Map([...costs].reverse().map((cost) => [cost.period, cost]));
  const table: Table = {
    title: 'Cost of a usage report',
    columns: ['records', 'rows of rollups', 'period', 'CPU µs', 'ratio', 'p50 ms', 'ratio'],
    rows: costs.map(({ records, rollups, period, cpuMicros, p50Ms }) => [
      figure(records),
      figure(rollups),
      period,
      figure(cpuMicros),
      times(cpuMicros / (few.get(period)?.cpuMicros ?? Number.NaN)),
      figure(p50Ms, 2),
      times(p50Ms / (few.get(period)?.p50Ms ?? Number.NaN)),
    ]),
  };
  return renderMarkdown(table);
}
