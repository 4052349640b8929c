// The tests of `.ci/run`: `npm test`, then the files that failed once more, alone. Four files at a time share two cores there, so a stall of
// seconds can fail a test that is right; what is wrong fails alone, too. A file that passed only then is printed as unstable: it is to be mended.
// Usage: node scripts/run-tests.mjs <file for the totals> [options of jest]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** More files than this do not fail by a stall. */
const MOST_RETRIED = 5;

const [totalsFile, ...options] = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'parley-tests-'));

const first = run('first', ...options);
const failed = first.testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
const isRetried = failed.length > 0 && failed.length <= MOST_RETRIED;
const second = isRetried ? run('second', '--runInBand', '--runTestsByPath', ...failed) : undefined;
rmSync(folder, { recursive: true });

if (second) {
  const unstable = second.testResults.filter(({ status }) => status === 'passed').map(({ name }) => relative(root, name));
  for (const name of unstable) console.log(`unstable: ${name} failed beside other tests and passed alone`);
}
const { passed, wrong } = sums();
writeFileSync(totalsFile, `${passed} passed, ${wrong} failed\n`);
process.exitCode = wrong > 0 ? 1 : 0;

/** Runs jest and returns its report; a run that wrote none counts as one failed suite. */
function run(name, ...more) {
  const file = join(folder, `${name}.json`);
  spawnSync('npm', ['test', '--', '--json', `--outputFile=${file}`, ...more], { cwd: root, stdio: 'inherit' });
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1, testResults: [] };
  }
}

/** A suite that could not even be loaded counts as one failed test. */
function sums() {
  const wrongIn = (report) => report.numFailedTests + report.numRuntimeErrorTestSuites;
  if (!second) return { passed: first.numPassedTests, wrong: wrongIn(first) };
  const wrong = wrongIn(second);
  return { passed: first.numPassedTests + wrongIn(first) - wrong, wrong };
}
