import { installPocketsphinx } from '../../local/embedded/install-pocketsphinx.ts';
import { SHARED_CACHE } from './paths.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Makes a gateway obtain and use pocketsphinx as `npm start` does, which is what an unset variable means. */
export const EARS = { PARLEY_POCKETSPHINX: '' } as const;

/** Obtains pocketsphinx into the shared cache as `npm start` does; answers why there is none, undefined when there is one. */
export function missingEars(): Promise<string | undefined> {
  return installPocketsphinx({ cacheDir: SHARED_CACHE, env: process.env, log, signal: new AbortController().signal });
}
