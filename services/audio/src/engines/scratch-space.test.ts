import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScratchSpace } from './scratch-space.ts';

const log = createLogger({ service: 'audio-test', level: 'silent' });
const ID = '0199a000-0000-7000-8000-000000000000';
const GONE_PID = 2 ** 22 + 1;

describe('ScratchSpace', () => {
  let base = '';
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'parley-scratch-'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  async function leftBehind(pid: number): Promise<string> {
    const name = `parley-recordings-${pid}-${ID}`;
    await mkdir(join(base, name, 'one'), { recursive: true });
    await writeFile(join(base, name, 'one', 'recording'), 'bytes');
    return name;
  }

  it('creates private folders, and removes them with their content', async () => {
    await using scratch = await ScratchSpace.open(base, log);
    let folder = '';
    {
      await using hold = await scratch.createFolder();
      folder = hold.folder;
      await writeFile(join(folder, 'recording'), 'bytes');
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    }
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  it('says so when the disk takes no folder', async () => {
    const scratch = await ScratchSpace.open(base, log);
    await rm(base, { recursive: true });
    await writeFile(base, 'no folder any more');
    await expect(scratch.createFolder()).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('removes what processes have left that are gone, and a former one of the same number', async () => {
    await leftBehind(GONE_PID);
    await leftBehind(process.pid);
    await using _scratch = await ScratchSpace.open(base, log);
    expect(await readdir(base)).toEqual([expect.not.stringContaining(ID)]);
  });

  it('leaves alone what belongs to others', async () => {
    const alive = await leftBehind(process.ppid);
    await writeFile(join(base, 'something-else'), '');
    await using _first = await ScratchSpace.open(base, log);
    await using _second = await ScratchSpace.open(base, log);
    const names = await readdir(base);
    expect(names).toHaveLength(4);
    expect(names).toEqual(expect.arrayContaining([alive, 'something-else']));
  });

  it('removes what is older than any transcription, even if another process has that number now', async () => {
    const name = await leftBehind(process.ppid);
    const yesterday = Date.now() / 1_000 - 25 * 3_600;
    await utimes(join(base, name), yesterday, yesterday);
    await using _scratch = await ScratchSpace.open(base, log);
    expect(await readdir(base)).not.toContain(name);
  });

  it('creates folders also when its root was deleted', async () => {
    await using scratch = await ScratchSpace.open(base, log);
    await rm(base, { recursive: true });
    await using hold = await scratch.createFolder();
    await writeFile(join(hold.folder, 'recording'), 'bytes');
    expect((await stat(join(hold.folder, '..'))).mode & 0o777).toBe(0o700);
  });

  it('leaves nothing when it closes', async () => {
    const scratch = await ScratchSpace.open(base, log);
    await scratch.createFolder();
    await scratch[Symbol.asyncDispose]();
    expect(await readdir(base)).toEqual([]);
  });
});
