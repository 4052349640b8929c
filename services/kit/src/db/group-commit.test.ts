import { describe, expect, it } from '@jest/globals';
import { GroupCommit } from './group-commit.ts';

/** A table in memory whose writes wait until they are let go. */
function table() {
  const groups: number[][] = [];
  const kept: number[] = [];
  const gates: (() => void)[] = [];
  let held = false;
  let down = false;
  return {
    groups,
    kept,
    hold: () => (held = true),
    letGo: () => {
      held = false;
      for (const open of gates.splice(0)) open();
    },
    fail: () => (down = true),
    write: async (rows: readonly number[]): Promise<readonly string[]> => {
      groups.push([...rows]);
      if (held) await new Promise<void>((resolve) => gates.push(resolve));
      if (down) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      if (rows.some((row) => row < 0)) throw new Error('check constraint');
      kept.push(...rows);
      return rows.map((row) => `kept ${row}`);
    },
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('GroupCommit', () => {
  it('writes rows that are ready together in one group and gives each its own result', async () => {
    const { write, groups } = table();
    const commit = new GroupCommit({ write });
    await expect(Promise.all([commit.add(1), commit.add(2), commit.add(3)])).resolves.toEqual(['kept 1', 'kept 2', 'kept 3']);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it('has one group in flight and gathers the next meanwhile', async () => {
    const { write, groups, hold, letGo } = table();
    const commit = new GroupCommit({ write });
    hold();
    const first = commit.add(1);
    await turn();
    const rest = [commit.add(2), commit.add(3)];
    await turn();
    expect(groups).toEqual([[1]]);
    letGo();
    await Promise.all([first, ...rest]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  it('keeps to the batch limit and the concurrency', async () => {
    const { write, groups, hold, letGo } = table();
    const commit = new GroupCommit({ write, maxBatch: 2, concurrency: 2 });
    hold();
    const all = [1, 2, 3, 4, 5].map((row) => commit.add(row));
    await turn();
    expect(groups).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(commit.depth).toBe(1);
    letGo();
    await Promise.all(all);
    expect(groups).toHaveLength(3);
  });

  it('fails a bad row alone and keeps its neighbours', async () => {
    const { write, kept } = table();
    const commit = new GroupCommit({ write });
    const rows = [...Array(100).keys()].map((row) => (row === 37 || row === 38 ? -row : row));
    const results = await Promise.allSettled(rows.map((row) => commit.add(row)));
    expect(results.flatMap(({ status }, row) => (status === 'rejected' ? [row] : []))).toEqual([37, 38]);
    expect(results[37]).toMatchObject({ reason: { message: 'check constraint' } });
    expect(kept).toEqual(rows.filter((row) => row >= 0));
  });

  it('fails all at once, without trying each, when the database is down', async () => {
    const { write, groups, fail } = table();
    fail();
    const commit = new GroupCommit({ write });
    const results = await Promise.allSettled([1, 2, 3, 4].map((row) => commit.add(row)));
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { condition: 'SERVICE_UNAVAILABLE' } });
    expect(groups).toEqual([[1, 2, 3, 4]]);
  });

  it('refuses at once when the queue is full', async () => {
    const { write, hold, letGo } = table();
    const commit = new GroupCommit({ write, maxQueue: 2 });
    hold();
    const first = commit.add(0);
    await turn();
    const waiting = [commit.add(1), commit.add(2)];
    await expect(commit.add(3)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    letGo();
    await expect(Promise.all([first, ...waiting])).resolves.toHaveLength(3);
  });

  it('drains what waits and what is in flight', async () => {
    const { write, kept, hold, letGo } = table();
    const commit = new GroupCommit({ write, maxBatch: 1 });
    await commit.drain();
    hold();
    const all = [commit.add(1), commit.add(2)];
    await turn();
    const drained = commit.drain();
    letGo();
    await drained;
    expect(kept).toEqual([1, 2]);
    await Promise.all(all);
  });

  it('fails a group whose write forgets a row', async () => {
    const commit = new GroupCommit<number, number>({ write: async () => [] });
    await expect(commit.add(1)).rejects.toThrow('0 results for 1 rows');
  });

  it('accepts a write without results', async () => {
    const commit = new GroupCommit<number>({ write: async () => undefined });
    await expect(commit.add(1)).resolves.toBeUndefined();
  });
});
