// The inner loop, in about a minute: types, lint, imports and the unit tests of what differs from main (`-- --all`: every unit test).
import { spawn, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const run = (name, command, args) => async () => {
  const begun = performance.now();
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = Math.round((performance.now() - begun) / 1_000);
  process.stdout.write(code === 0 ? `${name}: passed (${seconds} s)\n` : `${output}\n${name}: FAILED (${seconds} s)\n`);
  return code === 0;
};

const script = (name, of) => run(name, 'npm', ['run', '--silent', of]);

function changedSince() {
  const base = spawnSync('git', ['merge-base', 'HEAD', 'main'], { cwd: root, encoding: 'utf8' });
  return base.status === 0 ? [`--changedSince=${base.stdout.trim()}`] : [];
}

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--maxWorkers=1'];
const tests = ['--selectProjects', 'unit', '--passWithNoTests', ...(process.argv.includes('--all') ? [] : changedSince())];

/** The steps of a lane follow each other, the lanes run side by side: one for each of two cores. */
const lanes = [
  [script('types', 'types'), script('imports', 'imports')],
  [script('lint', 'lint:code'), script('format', 'lint:format'), run('unit tests', process.execPath, [...jest, ...tests])],
];

const results = await Promise.all(
  lanes.map(async (steps) => {
    let passed = true;
    for (const step of steps) passed = (await step()) && passed;
    return passed;
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
