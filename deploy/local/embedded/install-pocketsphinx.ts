import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BasicLogger } from '../supervisor/running-process.ts';
import { openDebianArchive, toFailureReason, findOnPath } from './debian-archive.ts';

const run = promisify(execFile);

const PROGRAM = 'pocketsphinx_continuous';
const PACKAGES = ['pocketsphinx', 'pocketsphinx-en-us'];

/** Where to look, and where to store a downloaded program. */
export interface InstallPocketsphinxOptions {
  readonly cacheDir: string;
  /** Only PATH and the proxy variables are used. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: BasicLogger;
  /** Ends the search and its programs. */
  readonly signal: AbortSignal;
}

/** Returns the folder below the cache in which the audio service finds pocketsphinx once it is installed. */
export function getPocketsphinxFolder(cacheDir: string): string {
  return join(cacheDir, 'pocketsphinx');
}

/**
 * Installs pocketsphinx unless it is on PATH or in the cache, from the Debian archive (30 MB). Resolves undefined when it is installed,
 * else with the reason; never rejects. The download takes a while, so nothing should wait for it.
 */
export async function installPocketsphinx(options: InstallPocketsphinxOptions): Promise<string | undefined> {
  const folder = getPocketsphinxFolder(options.cacheDir);
  try {
    if ((await findOnPath(PROGRAM, options.env)) || (await runs(folder))) return undefined;
    return await obtain(options, folder);
  } catch (error) {
    return toFailureReason(error);
  }
}

async function obtain({ cacheDir, env, log, signal }: InstallPocketsphinxOptions, target: string): Promise<string | undefined> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(cacheDir, 'pocketsphinx-'));
  try {
    const archive = await openDebianArchive(work, env, signal);
    if (!archive) return 'this system has no apt-get';
    log.info({ part: 'pocketsphinx' }, 'obtaining pocketsphinx from the Debian archive');
    const unpacked = join(work, 'unpacked');
    // Its libraries have other names in other releases; apt knows which, and which of them are here already.
    const debs = await archive.download(await archive.listMissingPackages(PACKAGES));
    for (const deb of debs) await archive.unpack(deb, unpacked);
    if (!(await runs(unpacked))) return 'the one obtained does not run here';
    await rm(target, { recursive: true, force: true });
    // Moved in one step: a reader sees all of it or nothing.
    await rename(unpacked, target);
    log.info({ part: 'pocketsphinx' }, 'pocketsphinx is there; transcription is possible');
    return undefined;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Whether the program runs: without arguments it prints its usage, if its libraries are found. */
async function runs(folder: string): Promise<boolean> {
  const entries = await readdir(join(folder, 'usr/lib'), { recursive: true, withFileTypes: true }).catch(() => []);
  const libraries = new Set(entries.filter(({ name }) => /\.so(\.\d+)*$/.test(name)).map(({ parentPath }) => parentPath));
  const env = { LD_LIBRARY_PATH: [...libraries].join(':') };
  return run(join(folder, 'usr/bin', PROGRAM), [], { timeout: 10_000, env }).then(isUsage, isUsage);
}

function isUsage(output: { stdout?: string; stderr?: string }): boolean {
  return /-infile/.test(`${output.stdout ?? ''}${output.stderr ?? ''}`);
}
