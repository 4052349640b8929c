import { describe, expect, it } from '@jest/globals';
import { StartProgress } from './start-progress.ts';

function start(isTTY: boolean): { progress: StartProgress; shown: () => string } {
  let text = '';
  return { progress: new StartProgress({ isTTY, write: (more) => (text += more) }), shown: () => text };
}

describe('the progress of a start', () => {
  it('is a line for each step where the output is no terminal', () => {
    const { progress, shown } = start(false);
    progress.step('Starting PostgreSQL');
    progress.printLine('parley: a warning');
    progress.step('Starting the gateway');
    progress.end(true);
    expect(shown()).toBe('Starting PostgreSQL …\nparley: a warning\nStarting the gateway …\n');
  });

  it('is a spinner on a terminal, which gives way to the duration of the step', () => {
    const { progress, shown } = start(true);
    progress.step('Starting PostgreSQL');
    expect(shown()).toMatch(/⠋ Starting PostgreSQL …$/);
    progress.step('Starting the gateway');
    expect(shown()).toMatch(/✓ Starting PostgreSQL \(\d+\.\d s\)\n.*Starting the gateway …$/s);
    progress.end(false);
    expect(shown()).toMatch(/✗ Starting the gateway \(\d+\.\d s\)\n$/);
  });

  it('puts a warning above the spinner', () => {
    const { progress, shown } = start(true);
    progress.step('Starting PostgreSQL');
    progress.printLine('parley: a warning');
    progress.end(true);
    expect(shown()).toMatch(/2Kparley: a warning\n.*✓ Starting PostgreSQL/s);
  });
});
