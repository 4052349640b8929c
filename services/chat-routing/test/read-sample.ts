import { readMetrics } from '@parley/kit/telemetry/meter';

/** The value of a metric now, under labels that include these, added up; undefined where it has none. */
export async function readSample(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const { text } = await readMetrics();
  const values = text.split('\n').flatMap((line) => {
    const [, found, inner = '', value] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found !== name) return [];
    return Object.entries(labels).every(([label, wanted]) => `,${inner},`.includes(`,${label}="${wanted}",`)) ? [Number(value)] : [];
  });
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : undefined;
}
