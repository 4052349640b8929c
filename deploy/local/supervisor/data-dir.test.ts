import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataDir, openDataDir } from './data-dir.ts';
import { getProcessStatus } from './process-status.ts';

let base = '';
const open: DataDir[] = [];

async function opened(path: string): Promise<DataDir> {
  const folder = await openDataDir(path);
  open.push(folder);
  return folder;
}

async function claims(): Promise<string[]> {
  return (await readdir(base)).filter((name) => name.startsWith('lock.'));
}

async function claim(pid: number | undefined, identity: string): Promise<void> {
  await writeFile(join(base, `lock.${pid}.${randomUUID()}`), identity);
}

describe('openDataDir', () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'parley-data-'));
  });
  afterEach(async () => {
    for (const folder of open.splice(0)) await folder.release();
    await rm(base, { recursive: true, force: true });
  });

  it('makes every folder, closed to others', async () => {
    const folder = await opened(join(base, 'deep', '.parley'));
    for (const path of [folder.root, folder.postgres, folder.nats, folder.blobs, folder.secrets, folder.logs, folder.cache]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
  });

  it('leaves the mode of a folder that was there', async () => {
    await chmod(base, 0o755);
    await opened(base);
    expect((await stat(base)).mode & 0o777).toBe(0o755);
  });

  it('refuses a folder in use, in one line that names the pid', async () => {
    await opened(base);
    await expect(openDataDir(base)).rejects.toThrow(`the data folder ${base} is in use by another Parley (pid ${process.pid})`);
    expect(await claims()).toHaveLength(1);
  });

  it('gives the folder to the next after release', async () => {
    await (await openDataDir(base)).release();
    await opened(base);
  });

  it('takes over the lock of a dead process', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await claim(child.pid, 'x');
    await opened(base);
    expect(await claims()).toEqual([expect.stringContaining(`lock.${process.pid}.`)]);
  });

  it('takes over when the pid lives again as another process', async () => {
    const { identity } = await getProcessStatus(process.pid);
    expect(identity).toBeDefined();
    await claim(process.pid, `${identity}0`);
    await opened(base);
    expect(await claims()).toHaveLength(1);
  });

  it('respects a claim that is still being written', async () => {
    await claim(process.pid, '');
    await expect(openDataDir(base)).rejects.toThrow('is in use by another Parley');
  });

  it('lets exactly one of many simultaneous starts win over a stale lock', async () => {
    await claim(process.pid, 'earlier life');
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => opened(base)));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await claims()).toHaveLength(1);
  });

  it('says in one line that the path is not a folder', async () => {
    const file = join(base, 'file');
    await writeFile(file, '');
    await expect(openDataDir(file)).rejects.toThrow(/^the data folder .*file cannot be used \((EEXIST|ENOTDIR)\); set PARLEY_DATA_DIR/);
  });
});
