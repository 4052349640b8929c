import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SHARED_CACHE } from './paths.ts';
import { databaseTemplate } from './shared/pool.ts';

const run = promisify(execFile);

/** A new folder for the state of one Parley, with the shared cache and a migrated, empty database in it unless they are not wanted. */
export async function makeDataDir({ cache = true, database = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  if (cache) {
    await mkdir(SHARED_CACHE, { recursive: true, mode: 0o700 });
    await symlink(SHARED_CACHE, join(folder, 'cache'));
  }
  // The files belong to the account that runs the server, which fs.cp does not keep.
  if (database) await run('cp', ['-a', await databaseTemplate(), join(folder, 'postgres')]);
  return folder;
}

/** Deletes a data folder; the shared cache stays. */
export async function removeDataDir(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
