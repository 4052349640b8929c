import { constants, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasAccess, onPath } from '../../engines/find-program.ts';

/** An installed pocketsphinx with its models. */
export interface Pocketsphinx {
  program: string;
  /** Folder of the acoustic model, the language model and the dictionary. */
  models: string;
  /** Folders of its bundled libraries, for LD_LIBRARY_PATH. */
  libraries: string[];
}

/** Where to look for pocketsphinx. */
export interface PocketsphinxConfig {
  /** Path of the program, or of a folder into which its packages were unpacked; preferred if it exists. */
  place: string | undefined;
  /** Folder of the models. @default where the package installs them */
  models: string | undefined;
  /** Value of PATH. */
  path: string;
}

const PROGRAM = 'pocketsphinx_continuous';
const MODELS = 'share/pocketsphinx/model/en-us';

/** Files that a folder of models must contain. */
export const MODEL_PARTS = { acoustic: 'en-us', language: 'en-us.lm.bin', dictionary: 'cmudict-en-us.dict' } as const;

/** Finds the first pocketsphinx with all its models; undefined without one. */
export async function findPocketsphinx({ place, models, path }: PocketsphinxConfig): Promise<Pocketsphinx | undefined> {
  const candidates = [...(place ? [place, join(place, 'usr/bin', PROGRAM)] : []), ...onPath(path, PROGRAM)];
  for (const program of candidates) {
    if (!program.endsWith(PROGRAM) || !(await hasAccess(program, constants.X_OK))) continue;
    const prefix = dirname(dirname(program));
    const complete = await firstComplete([models, join(prefix, MODELS), join('/usr', MODELS)]);
    if (!complete) continue;
    const isUnpacked = place !== undefined && program.startsWith(place);
    return { program, models: complete, libraries: isUnpacked ? await libraryFolders(join(prefix, 'lib')) : [] };
  }
  return undefined;
}

async function firstComplete(folders: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const folder of folders) {
    if (!folder) continue;
    const parts = await Promise.all(Object.values(MODEL_PARTS).map((part) => hasAccess(join(folder, part), constants.R_OK)));
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
