import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHARED_CACHE } from './paths.ts';

/** A new folder for the state of one Parley, with the shared cache in it unless `cold`. */
export async function makeDataDir({ cold = false } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  if (cold) return folder;
  await mkdir(SHARED_CACHE, { recursive: true, mode: 0o700 });
  await symlink(SHARED_CACHE, join(folder, 'cache'));
  return folder;
}

/** Deletes a data folder; the shared cache stays. */
export async function removeDataDir(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
