import Sequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Projects in the order in which their files start; within a project those that failed last time, then the longest first. */
const ORDER = ['e2e', 'faults', 'integration', 'unit'];

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Seconds of the slowest files, for a checkout that has run none of them yet: `npm test -- --json` reports them. */
const SECONDS = JSON.parse(readFileSync(new URL('test-seconds.json', import.meta.url), 'utf8'));

/** Starts the long test files first, so that no core waits for one at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ context }) => ORDER.indexOf(context.config.displayName?.name);
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }

  /** Milliseconds that a test file takes: of its last run, as far as jest has kept it. */
  time(test) {
    return super.time(test) ?? 1_000 * (SECONDS[relative(ROOT, test.path).split(sep).join('/')] ?? 1);
  }
}
