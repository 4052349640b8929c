import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareCounts, readRun } from './record.ts';

describe('compareCounts', () => {
  const five = { turns: 5, completed: 5, interrupted: 0, usage: 5 };
  const answered = (count: number, aborted = 0) => ({ answered: count, aborted });

  it('agrees only when turns, ends and usage all equal the answers', () => {
    expect(compareCounts(five, answered(5))).toEqual({ ok: true, summary: 'verified: 5 of 5' });
    for (const wrong of [{ turns: 6 }, { completed: 4 }, { completed: 4, interrupted: 1 }, { usage: 4 }]) {
      expect(compareCounts({ ...five, ...wrong }, answered(5)).ok).toBe(false);
    }
    expect(compareCounts({ turns: 5, completed: 4, interrupted: 0, usage: 3 }, answered(5)).summary).toBe(
      'NOT verified: 5 answered, 5 turns, 4 completed, 0 interrupted, 3 in the usage report',
    );
  });

  it('expects refused requests in the usage report, and nowhere else', () => {
    const expected = { answered: 5, aborted: 0, refused: 3 };
    expect(compareCounts({ ...five, usage: 8 }, expected)).toEqual({ ok: true, summary: 'verified: 5 of 5, and 3 refused' });
    expect(compareCounts({ ...five, usage: 5 }, expected).ok).toBe(false);
  });

  it('expects speech jobs in the usage report, and nowhere else', () => {
    const expected = { answered: 5, aborted: 0, jobs: 2 };
    expect(compareCounts({ ...five, usage: 7 }, expected)).toEqual({ ok: true, summary: 'verified: 5 of 5, and 2 speech jobs' });
    expect(compareCounts(five, expected).ok).toBe(false);
    expect(compareCounts({ ...five, turns: 7, completed: 7, usage: 7 }, expected).ok).toBe(false);
  });

  it('lets a stream that was broken off end either way, but not vanish', () => {
    expect(compareCounts({ ...five, completed: 3, interrupted: 2 }, answered(3, 2))).toEqual({
      ok: true,
      summary: 'verified: 5 of 5, 2 of them broken off (2 interrupted)',
    });
    expect(compareCounts({ ...five, completed: 4, interrupted: 1 }, answered(3, 2)).ok).toBe(true);
    expect(compareCounts({ ...five, completed: 2, interrupted: 3 }, answered(3, 2)).ok).toBe(false);
    expect(compareCounts({ ...five, completed: 3, interrupted: 1 }, answered(3, 2)).ok).toBe(false);
  });
});

describe('readRun', () => {
  it('reads the database of a run and refuses a file without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-run-'));
    try {
      await writeFile(join(folder, 'run.json'), JSON.stringify({ pid: 1, database_url: 'postgres://x', nats_url: 'nats://x' }));
      expect(await readRun(folder)).toEqual({ databaseUrl: 'postgres://x', natsUrl: 'nats://x' });
      await writeFile(join(folder, 'run.json'), '[]');
      await expect(readRun(folder)).rejects.toThrow('no database_url');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
