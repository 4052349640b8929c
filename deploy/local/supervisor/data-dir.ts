import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lockDataDir } from './data-dir-lock.ts';
import { StartError } from './start-error.ts';

/** The data folder of one gateway; absolute paths, all 0700. `release` unlocks it. */
export interface DataDir {
  readonly root: string;
  readonly postgres: string;
  readonly nats: string;
  readonly blobs: string;
  readonly secrets: string;
  readonly logs: string;
  /** Downloads and copies that can be created again. */
  readonly cache: string;
  release(): Promise<void>;
}

/** Creates the layout of a data folder and locks it for this process. Throws StartError when it is in use or cannot be written. */
export async function openDataDir(path: string): Promise<DataDir> {
  const root = resolve(path);
  const at = (name: string): string => join(root, name);
  const folders = {
    postgres: at('postgres'),
    nats: at('nats'),
    blobs: at('blobs'),
    secrets: at('secrets'),
    logs: at('logs'),
    cache: at('cache'),
  };
  try {
    // An existing folder keeps the mode that its owner has set.
    for (const folder of [root, ...Object.values(folders)]) await mkdir(folder, { recursive: true, mode: 0o700 });
    return { root, ...folders, release: await lockDataDir(root) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartError(`the data folder ${root} cannot be used (${reason}); set PARLEY_DATA_DIR to a folder that can be written`, {
      cause: error,
    });
  }
}
