import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Copies a folder that may change meanwhile, and counts its files. Leaves out files that are removed before they are copied, and partial files (`.incoming`). */
export async function copyFolder(from: string, to: string): Promise<number> {
  const entries = await readdir(from, { withFileTypes: true }).catch(noneIfAbsent);
  await mkdir(to, { recursive: true, mode: 0o700 });
  let files = 0;
  for (const entry of entries) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === '.incoming') continue;
    if (entry.isDirectory()) files += await copyFolder(source, copy);
    else if (entry.isFile()) files += (await copyFileIfExists(source, copy)) ? 1 : 0;
  }
  return files;
}

/** Copies a file; resolves false when it does not exist. */
export async function copyFileIfExists(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function noneIfAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
