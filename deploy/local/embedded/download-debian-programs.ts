import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BasicLogger } from '../supervisor/running-process.ts';
import { openDebianArchive, toFailureReason } from './debian-archive.ts';

/** Programs of one Debian package, and the cache in which they are stored. */
export interface DebianPrograms {
  readonly packageName: string;
  /** Names of programs of the package. */
  readonly programs: readonly string[];
  readonly cacheDir: string;
  /** Only PATH and the proxy variables are used. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: BasicLogger;
}

/**
 * Downloads a Debian package and copies programs of it into the cache, without installing it. Resolves undefined when done, else with the
 * reason.
 */
export async function downloadDebianPrograms({ packageName, programs, cacheDir, env, log }: DebianPrograms): Promise<string | undefined> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(cacheDir, `${packageName}-`));
  try {
    const archive = await openDebianArchive(work, env);
    if (!archive) return 'this system has no apt-get';
    log.info({ part: packageName }, 'obtaining a program from the Debian archive');
    const [deb] = await archive.download([packageName]);
    if (!deb) return 'apt-get downloaded nothing';
    await archive.unpack(deb, join(work, 'unpacked'));
    const files = await readdir(work, { recursive: true });
    for (const program of programs) {
      const file = files.find((path) => path.endsWith(`bin/${program}`));
      if (!file) return `the Debian package holds no ${program}`;
      await copyFile(join(work, file), join(work, 'ready'));
      await chmod(join(work, 'ready'), 0o755);
      // Renamed in one step: another process may look for it now.
      await rename(join(work, 'ready'), join(cacheDir, program));
    }
    return undefined;
  } catch (error) {
    return toFailureReason(error);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
