import { useSyncExternalStore } from 'react';
import { Bar, BarChart, CartesianGrid, Legend, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { useFormatter } from '../i18n/formatter.ts';

/** One kind of number of a chart. */
export interface Series {
  key: string;
  name: string;
  tone: 'accent' | 'good' | 'warn' | 'bad' | 'muted';
}

/** Numbers that belong together. */
export interface ChartPlotProps {
  /** What is shown, for screen readers. */
  label: string;
  /** What the rows are. */
  rowLabel: string;
  /** A value that is not there is a gap. */
  rows: readonly { id: string; values: Readonly<Record<string, number | undefined>> }[];
  series: readonly Series[];
  /** Bars stand on each other, lines beside. */
  kind: 'bars' | 'lines';
  format: (value: number) => string;
  formatRow: (id: string) => string;
}

const HEIGHT = 288;
const NARROW = 640;
// Lines differ by more than their colour.
const DASHES = ['0', '6 3', '2 3', '8 3 2 3'];

function subscribe(listener: () => void): () => void {
  const query = matchMedia('(prefers-reduced-motion: reduce)');
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** The plot of a chart: arrow keys move from row to row, and the numbers of each are shown beside it. */
export default function ChartPlot({ label, rows, series, kind, format, formatRow }: ChartPlotProps) {
  const { compact } = useFormatter();
  const isCalm = useSyncExternalStore(subscribe, () => matchMedia('(prefers-reduced-motion: reduce)').matches);
  const data = rows.map(({ id, values }) => ({ id, ...values }));
  const Drawing = kind === 'bars' ? BarChart : LineChart;
  const formatted = (value: unknown) => format(Number(value));
  const axis = { stroke: 'var(--control)', tick: { fill: 'var(--muted)', fontSize: 12 }, tickLine: false };
  return (
    <Drawing
      data={data}
      responsive
      accessibilityLayer
      title={label}
      className="w-full"
      style={{ width: '100%', height: HEIGHT }}
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
    >
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis dataKey="id" tickFormatter={(id) => formatRow(String(id))} minTickGap={innerWidth < NARROW ? 48 : 24} {...axis} />
      <YAxis
        tickFormatter={(value) => (kind === 'bars' ? compact(Number(value)) : format(Number(value)))}
        width={64}
        allowDecimals={false}
        {...axis}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: 'var(--accent-soft)', stroke: 'var(--control)' }}
        contentStyle={{ background: 'var(--raised)', border: '1px solid var(--line)', borderRadius: 8, fontSize: 13 }}
        itemStyle={{ color: 'var(--text)' }}
        labelFormatter={(id) => (typeof id === 'string' ? formatRow(id) : id)}
        formatter={formatted}
      />
      <Legend itemSorter={null} formatter={(name) => <span className="text-text">{String(name)}</span>} />
      {series.map(({ key, name, tone }, place) =>
        kind === 'bars' ? (
          <Bar key={key} dataKey={key} name={name} stackId="all" fill={`var(--${tone})`} isAnimationActive={!isCalm} maxBarSize={48} />
        ) : (
          <Line
            key={key}
            dataKey={key}
            name={name}
            stroke={`var(--${tone})`}
            strokeWidth={2}
            strokeDasharray={DASHES[place % DASHES.length] ?? '0'}
            dot={{ r: 2 }}
            isAnimationActive={!isCalm}
          />
        ),
      )}
    </Drawing>
  );
}
