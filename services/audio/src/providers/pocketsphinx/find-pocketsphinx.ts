import { constants, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasAccess, onPath } from '../../engines/find-program.ts';

/** A pocketsphinx that can be started. */
export interface Pocketsphinx {
  program: string;
  /** Folder of the acoustic model, the language model and the dictionary. */
  models: string;
  /** Folders of the libraries that came with it, for LD_LIBRARY_PATH. */
  libraries: string[];
}

/** Where to look for it. */
export interface PocketsphinxConfig {
  /** A program, or a folder into which its packages were unpacked; preferred when it is there. */
  place: string | undefined;
  /** Folder of the models. @default where its package puts them */
  models: string | undefined;
  /** As in PATH. */
  path: string;
}

const PROGRAM = 'pocketsphinx_continuous';
const MODELS = 'share/pocketsphinx/model/en-us';

/** What a model folder must hold. */
export const MODEL_PARTS = { acoustic: 'en-us', language: 'en-us.lm.bin', dictionary: 'cmudict-en-us.dict' } as const;

/** The first pocketsphinx that is complete; undefined without one. */
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

/** Debian spreads libraries over folders that only its own loader knows of. */
async function libraryFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const libraries = entries.filter(({ name }) => /\.so(\.\d+)*$/.test(name));
  return [...new Set(libraries.map(({ parentPath }) => parentPath))].sort();
}
