import { renderMetricsPage } from '@parley/kit/telemetry/metrics-page';
// Writes docs/metrics.md from the table of metrics. Requires the build.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

await writeFile(join(import.meta.dirname, '../docs/metrics.md'), renderMetricsPage());
