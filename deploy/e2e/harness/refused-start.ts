import { expect } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { leftovers, type Sighting } from './processes.ts';
import { runStart } from './start-process.ts';

/** A line of progress. */
const STEP = /…$/;

/** Starts, and expects nothing but one line that says why not, behind those of the steps before, exit code 1, and nothing left running. */
export async function expectOneLine(env: Record<string, string>, line: RegExp): Promise<void> {
  const dataDir = env['PARLEY_DATA_DIR'] ?? '';
  const before = new Set(leftovers([], dataDir).map(({ pid }) => pid));
  const started = runStart({ PARLEY_PORT: '0', PARLEY_SANDBOX_DELAY_MS: '0', ...env });
  const exit = await started.exited;
  const lines = (started.stdout() + started.stderr()).split('\n').filter((text) => text !== '' && !STEP.test(text));
  expect({ exit, lines }).toEqual({ exit: { code: 1, signal: null }, lines: [expect.stringMatching(line)] });
  // The database of a gateway that runs there opens sessions of its own meanwhile.
  const isKnown = ({ pid, parent }: Sighting) => before.has(pid) || before.has(parent);
  await waitFor(() => leftovers([], dataDir).every(isKnown));
}
