// `npm run lint:helm`: lints and renders the chart with a matrix of values, and holds every object against the schemas of the Kubernetes API. Needs a
// build; obtains Helm from the npm registry when there is none on PATH, and installs nothing.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = (name) => import(pathToFileURL(join(root, 'deploy/dist/helm', name)).href);
const { findHelm } = await compiled('find-helm.js');
const { checkChart, CHART_VALUE_SETS } = await compiled('check-chart.js');

const log = { info: (_fields, message) => console.log(message), warn: () => undefined, error: () => undefined };
const folder = join(root, 'deploy/helm/parley');
const helm = await findHelm({ cacheDir: join(root, '.parley/cache'), log });
const example = parse(readFileSync(join(folder, 'examples/values.yaml'), 'utf8'));
const { cases, objects, problems } = await checkChart({ helm, folder }, { ...CHART_VALUE_SETS, 'examples/values.yaml': example });
for (const problem of problems) console.error(problem);
console.log(
  `lint:helm: ${objects} objects of ${cases} sets of values, ${problems.length === 0 ? 'all is well' : `${problems.length} problems`}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
