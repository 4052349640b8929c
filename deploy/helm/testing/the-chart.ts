import { fileURLToPath } from 'node:url';
import { type Chart } from '../chart.ts';
import { findHelm } from '../find-helm.ts';

/** The folder of the chart. */
export const CHART_FOLDER = fileURLToPath(new URL('../parley', import.meta.url));

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The chart with a Helm that renders it. @throws StartError where none can be had */
export async function openChart(): Promise<Chart> {
  const cacheDir = fileURLToPath(new URL('../../../.parley/cache', import.meta.url));
  return { helm: await findHelm({ cacheDir, log: SILENT }), folder: CHART_FOLDER };
}
