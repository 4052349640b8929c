import { constants, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasAccess, listPathCandidates } from '../../engines/find-program.ts';

/** An installed pocketsphinx with its models. */
export interface PocketsphinxInstallation {
  program: string;
  /** Folder of the acoustic model, the language model and the dictionary. */
  models: string;
  /** Folders of its bundled libraries, for LD_LIBRARY_PATH. */
  libraries: string[];
}

/** Where to look for pocketsphinx. */
export interface PocketsphinxConfig {
  /** Path of the program, or of a folder into which its packages were unpacked; preferred if it exists. */
  location: string | undefined;
  /** Folder of the models. @default where the package installs them */
  models: string | undefined;
  /** Value of PATH. */
  path: string;
}

const PROGRAM = 'pocketsphinx_continuous';
const MODELS = 'share/pocketsphinx/model/en-us';

/** Files that a folder of models must contain. */
export const MODEL_FILES = { acoustic: 'en-us', language: 'en-us.lm.bin', dictionary: 'cmudict-en-us.dict' } as const;

/** Finds the first pocketsphinx with all its models; undefined without one. */
export async function findPocketsphinx({ location, models, path }: PocketsphinxConfig): Promise<PocketsphinxInstallation | undefined> {
  const candidates = [...(location ? [location, join(location, 'usr/bin', PROGRAM)] : []), ...listPathCandidates(path, PROGRAM)];
  for (const program of candidates) {
    if (!program.endsWith(PROGRAM) || !(await hasAccess(program, constants.X_OK))) continue;
    const prefix = dirname(dirname(program));
    const complete = await firstComplete([models, join(prefix, MODELS), join('/usr', MODELS)]);
    if (!complete) continue;
    const isUnpacked = location !== undefined && program.startsWith(location);
    return { program, models: complete, libraries: isUnpacked ? await libraryFolders(join(prefix, 'lib')) : [] };
  }
  return undefined;
}

async function firstComplete(folders: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const folder of folders) {
    if (!folder) continue;
    const parts = await Promise.all(Object.values(MODEL_FILES).map((part) => hasAccess(join(folder, part), constants.R_OK)));
    if (parts.every(Boolean)) return folder;
  }
  return undefined;
}

/** Returns all folders with libraries: Debian uses folders that only its own loader knows. */
async function libraryFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const libraries = entries.filter(({ name }) => /\.so(\.\d+)*$/.test(name));
  return [...new Set(libraries.map(({ parentPath }) => parentPath))].sort();
}
