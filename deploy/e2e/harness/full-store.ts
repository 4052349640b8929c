import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openBucket } from './bucket.ts';

const run = promisify(execFile);
const FILLER = 'filler';

/** A place for files that can run out of room. */
export interface FullStore {
  /** What makes a gateway keep its files there. */
  readonly env: Record<string, string>;
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** What the gateway has left there, half written files too. */
  files(): Promise<string[]>;
  close(): Promise<void>;
}

/** Every kind of full store that this machine can have, by name. */
export async function fullStores(): Promise<[name: string, store: FullStore][]> {
  const disk = await diskStore();
  return [['bucket', await bucketStore()], ...(disk ? [['disk', disk] satisfies [string, FullStore]] : [])];
}

/** A bucket that refuses what is put into it, as a full one does. */
async function bucketStore(): Promise<FullStore> {
  const bucket = await openBucket();
  return {
    env: bucket.env,
    fill: () => Promise.resolve(bucket.setFull(true)),
    makeRoom: () => Promise.resolve(bucket.setFull(false)),
    files: () => Promise.resolve([...bucket.objects.keys()]),
    close: () => bucket.close(),
  };
}

/** A disk of 24 MB; undefined where we may not mount one: only root may, and not in every container. */
async function diskStore(): Promise<FullStore | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0755', 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, FILLER);
  return {
    env: { PARLEY_BLOB_STORE: folder },
    fill: () => fillDisk(filler),
    makeRoom: () => rm(filler),
    files: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile() && entry.name !== FILLER).map(({ name }) => name);
    },
    close: async () => {
      await run('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Writes until there is no room for another byte. */
async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let size = 1_048_576; size >= 1;)
      await file.write(randomBytes(size)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
        size = Math.floor(size / 2);
      });
  } finally {
    await file.close();
  }
}
