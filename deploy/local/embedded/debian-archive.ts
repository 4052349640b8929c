import { execFile } from 'node:child_process';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The Debian archive, accessed with the system's tools, without root and without changes to the system. */
export interface DebianArchive {
  /** Downloads packages into `work` and resolves with the paths of the files. */
  download(packages: readonly string[]): Promise<string[]>;
  /** Resolves with the names of the packages that would have to be installed for these packages, including themselves. */
  listMissingPackages(packages: readonly string[]): Promise<string[]>;
  /** Unpacks a package into a folder. */
  unpack(deb: string, folder: string): Promise<void>;
}

/**
 * Opens the archive for downloads into the folder `work`; undefined on a system without apt-get and dpkg. Its tools are killed when the
 * signal aborts.
 */
export async function openDebianArchive(work: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<DebianArchive | undefined> {
  const [apt, dpkg] = await Promise.all([findOnPath('apt-get', env), findOnPath('dpkg', env)]);
  if (!apt || !dpkg) return undefined;
  // As root, apt would warn that its sandbox account cannot write here.
  let base = ['-q', '-o', 'APT::Sandbox::User=root'];
  const call = async (args: readonly string[]): Promise<string> => {
    const options = { cwd: work, timeout: 300_000, env: { ...env, LC_ALL: 'C' }, ...(signal && { signal }) };
    return (await run(apt, [...base, ...args], options)).stdout;
  };
  let hasOwnLists = false;
  const withLists = async (args: readonly string[]): Promise<string> => {
    try {
      return await call(args);
    } catch (error) {
      if (hasOwnLists || signal?.aborted) throw error;
      // The package lists are missing or outdated. Private lists need no root and do not change the system.
      hasOwnLists = true;
      for (const folder of ['lists/partial', 'cache/archives/partial']) await mkdir(join(work, folder), { recursive: true });
      const places = [`Dir::State::Lists=${join(work, 'lists')}`, `Dir::Cache=${join(work, 'cache')}`, 'Acquire::Languages=none'];
      base = [...base, ...places.flatMap((place) => ['-o', place])];
      await call(['update']);
      return call(args);
    }
  };
  return {
    download: async (packages) => {
      await withLists(['download', ...packages]);
      return (await readdir(work)).filter((name) => name.endsWith('.deb')).map((name) => join(work, name));
    },
    listMissingPackages: async (packages) => {
      const plan = await withLists(['-s', '--no-install-recommends', 'install', ...packages]);
      return Array.from(plan.matchAll(/^Inst (\S+)/gm), ([, name]) => name ?? '');
    },
    unpack: async (deb, folder) => void (await run(dpkg, ['-x', deb, folder], { timeout: 60_000, env, ...(signal && { signal }) })),
  };
}

/** Finds a program in PATH; undefined when it is missing. */
export async function findOnPath(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    // Relative entries would make the result depend on the working directory.
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, program);
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return undefined;
}

/** Returns the reason why one of these tools failed, in one line. */
export function toFailureReason(error: unknown): string {
  const { stderr, message, killed } = error as { stderr?: string; message: string; killed?: boolean };
  if (killed) return 'apt-get took too long';
  return (stderr?.trim() ? stderr : message).trim().split('\n').at(-1) ?? 'unknown';
}
