import { ratio, type Spread, spreadOf } from '../measure/statistics.ts';
import { type Results, type ThroughputScenario, type ThroughputWindow } from '../results.ts';
import { figure, NOTHING, range, remarks, times } from './cells.ts';
import { type Table } from './table.ts';

/** What every target is compared with, in this order. */
const BASES = ['direct', 'nginx', 'node-proxy', 'portkey'] as const;

const CHUNKS = 64;
const TITLES: Record<ThroughputScenario, string> = {
  requests: 'Non-streaming requests, 1 KB answers',
  streams: 'Streams of 64 chunks, paced in groups of 4',
  burst: 'Streams of 64 chunks, all at once',
};

interface Row {
  windows: ThroughputWindow[];
  rate: Spread | undefined;
  cpu: Spread | undefined;
}

/** The table of one flat-out scenario; undefined when it was not run. */
export function throughputTable(results: Results, scenario: ThroughputScenario): Table | undefined {
  const windows = results.windows.filter((window): window is ThroughputWindow => window.kind === scenario);
  if (windows.length === 0) return undefined;
  const rows = new Map<string, Row>();
  for (const name of new Set(windows.map(({ target }) => target))) {
    const own = windows.filter(({ target }) => target === name);
    rows.set(name, { windows: own, rate: spreadOf(own.map((w) => w.perSecond)), cpu: spreadOf(own.map((w) => w.cpuMicrosEach)) });
  }
  const streamed = scenario !== 'requests';
  const unit = streamed ? 'stream' : 'request';
  return {
    title: TITLES[scenario],
    columns: [
      'target',
      `${unit}s/s`,
      'min–max',
      ...(streamed ? ['chunks/s'] : []),
      ...BASES.map((base) => `× ${base}`),
      `CPU µs/${unit}`,
      'min–max',
      'CPU × node-proxy',
      'remarks',
    ],
    rows: [...rows].map(([name, row]) => [
      name,
      figure(row.rate?.median),
      range(row.rate),
      ...(streamed ? [row.rate ? figure(row.rate.median * CHUNKS) : NOTHING] : []),
      ...BASES.map((base) => times(ratio(row.rate, rows.get(base)?.rate))),
      figure(row.cpu?.median),
      range(row.cpu),
      times(ratio(row.cpu, rows.get('node-proxy')?.cpu)),
      remarks(row.windows),
    ]),
  };
}
