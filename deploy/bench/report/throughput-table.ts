import { ratio, type Spread, spreadOf } from '../measure/statistics.ts';
import { type Results, type ThroughputScenario, type ThroughputWindow } from '../results.ts';
import { figure, range, remarks, times } from './cells.ts';
import { type Table } from './table.ts';

/** What every target is compared with, in this order. */
const BASES = ['direct', 'nginx', 'node-proxy', 'portkey'] as const;

const TITLES: Record<ThroughputScenario, string> = {
  requests: 'Non-streaming requests: 700 characters asked, 1,000 answered',
  streams: 'Streams of 64 chunks of 16 characters, paced in groups of 4',
  burst: 'Streams of 64 chunks of 16 characters, all at once',
};

interface Row {
  windows: ThroughputWindow[];
  rate: Spread | undefined;
  sustained: Spread | undefined;
  cpu: Spread | undefined;
}

/** The table of one flat-out scenario; undefined when it was not run. */
export function throughputTable(results: Results, scenario: ThroughputScenario): Table | undefined {
  const windows = results.windows.filter((window): window is ThroughputWindow => window.kind === scenario);
  if (windows.length === 0) return undefined;
  const rows = new Map<string, Row>();
  for (const name of new Set(windows.map(({ target }) => target))) {
    const own = windows.filter(({ target }) => target === name);
    rows.set(name, {
      windows: own,
      rate: spreadOf(own.map((w) => w.perSecond)),
      sustained: spreadOf(own.map((w) => w.sustainedPerSecond)),
      cpu: spreadOf(own.map((w) => w.cpuMicrosEach)),
    });
  }
  const unit = scenario === 'requests' ? 'request' : 'stream';
  return {
    title: TITLES[scenario],
    columns: [
      'target',
      `${unit}s/s sustained`,
      'min–max',
      'in the window',
      ...BASES.map((base) => `× ${base}`),
      'CPU µs in the window',
      'remarks',
    ],
    rows: [...rows].map(([name, row]) => [
      name,
      figure(row.sustained?.median),
      range(row.sustained),
      figure(row.rate?.median),
      ...BASES.map((base) => times(ratio(row.sustained, rows.get(base)?.sustained))),
      figure(row.cpu?.median),
      remarks(row.windows),
    ]),
  };
}
