import { type Chart, type ChartValues, type Manifest, lintChart, renderChart } from './chart.ts';
import { checkManifest } from './check-manifest.ts';
import { MODELS_BY_KIND } from './models-by-kind.ts';
import { VALUES_MATRIX, REQUIRED_VALUES } from './values-matrix.ts';

/** What `checkChart` has looked at. */
export interface ChartReport {
  /** Sets of values. */
  cases: number;
  objects: number;
  /** One line each; empty when all is well. */
  problems: string[];
}

/** Values of a file over others, as Helm merges them. */
export function mergeValues(below: ChartValues, above: ChartValues): ChartValues {
  const merged = Object.entries(above).map(([key, value]) => {
    const other = below[key];
    return [key, isMap(value) && isMap(other) ? mergeValues(other, value) : value] as const;
  });
  return { ...below, ...Object.fromEntries(merged) };
}

/** The sets of values to check: each one of the matrix merged over the required values. */
export const CHART_VALUE_SETS: Readonly<Record<string, ChartValues>> = Object.fromEntries(
  Object.entries(VALUES_MATRIX).map(([name, values]) => [name, mergeValues(REQUIRED_VALUES, values)]),
);

/** Lints and renders the chart with each set of values, and holds every object against the schema of its kind. */
export async function checkChart(chart: Chart, sets: Readonly<Record<string, ChartValues>>): Promise<ChartReport> {
  const problems: string[] = [];
  let objects = 0;
  for (const [name, values] of Object.entries(sets)) {
    try {
      await lintChart(chart, values);
      const manifests = await renderChart(chart, values);
      objects += manifests.length;
      problems.push(...checkManifests(manifests).map((problem) => `${name}: ${problem}`));
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { cases: Object.keys(sets).length, objects, problems };
}

/** What these objects have against their schemas and each other. */
export function checkManifests(manifests: readonly Manifest[]): string[] {
  const seen = new Set<string>();
  return manifests.flatMap((manifest) => {
    const id = `${manifest.kind} ${manifest.metadata.name}`;
    const twice = seen.has(id) ? [`${id} is there twice`] : [];
    seen.add(id);
    const model = MODELS_BY_KIND.get(`${manifest.apiVersion}/${manifest.kind}`);
    const wrong = model ? checkManifest(model, manifest) : [`no schema of ${manifest.apiVersion}/${manifest.kind}`];
    return [...twice, ...wrong.map((problem) => `${id}: ${problem}`)];
  });
}

function isMap(value: unknown): value is ChartValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
