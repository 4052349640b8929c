import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

// Debian keeps servers out of a user's PATH.
const EXTRA = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The full path of an executable on PATH (or in the sbin folders), or undefined. */
export async function findOnPath(name: string): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...EXTRA].filter((folder) => folder !== '');
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** Whether a file exists and may be executed. */
export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
