import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where a program may be, going by a PATH; folders that depend on where this process was started are left out. */
export function onPath(path: string, name: string): string[] {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name));
}

/** True when the account of this process can use a file so; `mode` is of `fs.constants`. */
export function hasAccess(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
