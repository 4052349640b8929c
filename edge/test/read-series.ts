import { readMetrics } from '@parley/kit/telemetry/meter';

/** The value of a series of this process, e.g. `parley_turns_total{status="completed"}`; 0 when nothing reports it. */
export async function readSeries(series: string): Promise<number> {
  const { text } = await readMetrics();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}
