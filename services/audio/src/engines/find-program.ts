import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Returns the candidate paths of a program in the folders of a PATH; ignores relative folders, which depend on the working directory. */
export function listPathCandidates(path: string, name: string): string[] {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name));
}

/** Whether this process can access a file; `mode` is one of `fs.constants`. */
export function hasAccess(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
