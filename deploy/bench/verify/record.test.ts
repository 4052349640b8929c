import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { judge, readRun } from './record.ts';

describe('judge', () => {
  it('agrees only when turns, ends and usage all equal the answers', () => {
    expect(judge({ turns: 5, completed: 5, usage: 5 }, 5)).toEqual({ ok: true, summary: 'verified: 5 of 5' });
    for (const counts of [
      { turns: 6, completed: 5, usage: 5 },
      { turns: 5, completed: 4, usage: 5 },
      { turns: 5, completed: 5, usage: 4 },
    ]) {
      expect(judge(counts, 5).ok).toBe(false);
    }
    expect(judge({ turns: 5, completed: 4, usage: 3 }, 5).summary).toBe(
      'NOT verified: 5 answered, 5 turns, 4 completed, 3 in the usage report',
    );
  });
});

describe('readRun', () => {
  it('reads the database of a run and refuses a file without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-run-'));
    try {
      await writeFile(join(folder, 'run.json'), JSON.stringify({ pid: 1, database_url: 'postgres://x' }));
      expect(await readRun(folder)).toEqual({ databaseUrl: 'postgres://x' });
      await writeFile(join(folder, 'run.json'), '[]');
      await expect(readRun(folder)).rejects.toThrow('no database_url');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
