// `npm run lint:observability`: promtool checks the rules and the configuration of Prometheus, and runs the tests of the rules. Needs a build; obtains
// Debian's package of Prometheus when there is none on PATH, and installs nothing.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'deploy/observability/prometheus');
const yamlOf = (name) => readdirSync(join(folder, name)).map((file) => join(name, file));

const { findPrometheus } = await import(pathToFileURL(join(root, 'deploy/dist/observability/find-prometheus.js')).href);
const log = { info: (_fields, message) => console.log(message), warn: () => undefined, error: () => undefined };
const { promtool } = await findPrometheus({ cacheDir: join(root, '.parley/cache'), log });

const checks = [
  ['check', 'config', '--lint-fatal', 'prometheus.yml'],
  ['check', 'rules', '--lint-fatal', ...yamlOf('rules')],
  ['test', 'rules', ...yamlOf('tests')],
];
const failed = checks.filter((args) => spawnSync(promtool, args, { cwd: folder, stdio: 'inherit' }).status !== 0);
console.log(
  failed.length === 0 ? 'lint:observability: all is well' : `lint:observability: ${failed.length} of ${checks.length} checks failed`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
