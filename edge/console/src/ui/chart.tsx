import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { type ChartPlotProps } from './chart-plot.tsx';

const Drawn = lazy(() => import('./chart-plot.tsx'));

interface SeenChartProps extends ChartPlotProps {
  /** Words of the button that shows the numbers as a table, and of the one that shows the drawing again. */
  words: { asTable: string; asChart: string };
}

/** Numbers as a drawing, or the same numbers as a table: for users who cannot see the drawing. */
export function Chart({ words, ...chart }: SeenChartProps) {
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      {isTable ? (
        <NumberTable {...chart} />
      ) : (
        <Suspense fallback={<div role="status" aria-label={t('loading')} className="h-72 animate-pulse rounded-md bg-line/60" />}>
          <Drawn {...chart} />
        </Suspense>
      )}
      <Button size="small" look="ghost" className="self-end" onClick={() => setTable(!isTable)}>
        {isTable ? words.asChart : words.asTable}
      </Button>
    </div>
  );
}

function numberOf(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value);
}

/** The numbers that are drawn. */
function NumberTable({ label, rowLabel, rows, series, format, formatRow }: ChartPlotProps) {
  return (
    // A region that scrolls is reached by keyboard.
    <div role="region" aria-label={label} tabIndex={0} className="max-h-96 overflow-auto rounded-md border">
      <table className="w-full text-sm">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-surface">
          <tr className="border-b">
            <th scope="col" className="px-3 py-1.5 text-start text-xs font-medium text-muted">
              {rowLabel}
            </th>
            {series.map(({ key, name }) => (
              <th key={key} scope="col" className="px-3 py-1.5 text-end text-xs font-medium text-muted">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, values }) => (
            <tr key={id} className="border-b last:border-b-0">
              <th scope="row" className="px-3 py-1.5 text-start font-normal">
                {formatRow(id)}
              </th>
              {series.map(({ key }) => (
                <td key={key} className="px-3 py-1.5 text-end tabular-nums">
                  {numberOf(values[key], format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
