import { describe, expect, it } from '@jest/globals';
import { waitFor } from '../testing/wait-for.ts';
import { startRecurringTask } from './recurring-task.ts';

describe('recurring work', () => {
  it('starts at once and repeats, also after a failure', async () => {
    let rounds = 0;
    const failures: unknown[] = [];
    const work = startRecurringTask(
      async () => {
        if (++rounds === 2) throw new Error('no luck');
      },
      { everyMs: 5, failed: (error) => failures.push(error) },
    );
    expect(rounds).toBe(1);
    await waitFor(() => rounds > 3);
    expect(failures).toEqual([new Error('no luck')]);
    await work.stop();
  });

  it('never overlaps, and aborts the round in progress when it stops', async () => {
    let [under, most, rounds] = [0, 0, 0];
    let aborted = false;
    const work = startRecurringTask(
      async (signal) => {
        rounds++;
        most = Math.max(most, ++under);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        aborted = true;
        under--;
      },
      { everyMs: 1, failed: () => undefined },
    );
    await work.stop();
    expect({ aborted, most, rounds, under }).toEqual({ aborted: true, most: 1, rounds: 1, under: 0 });
  });
});
