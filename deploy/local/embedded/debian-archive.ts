import { execFile } from 'node:child_process';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The Debian archive, reached with the system's own tools; no root is needed and the system stays as it is. */
export interface DebianArchive {
  /** Downloads packages into `work` and gives the paths of the files. */
  download(packages: readonly string[]): Promise<string[]>;
  /** What would have to be installed for these packages to work, they included. */
  missingFor(packages: readonly string[]): Promise<string[]>;
  /** Unpacks a package into a folder. */
  unpack(deb: string, folder: string): Promise<void>;
}

/** The archive as seen from the folder `work`; undefined where there is no Debian. Its tools end when the signal aborts. */
export async function debianArchive(work: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<DebianArchive | undefined> {
  const [apt, dpkg] = await Promise.all([onPath('apt-get', env), onPath('dpkg', env)]);
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
      // No package lists, or old ones. Lists of our own need no root and leave the system as it is.
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
    missingFor: async (packages) => {
      const plan = await withLists(['-s', '--no-install-recommends', 'install', ...packages]);
      return Array.from(plan.matchAll(/^Inst (\S+)/gm), ([, name]) => name ?? '');
    },
    unpack: async (deb, folder) => void (await run(dpkg, ['-x', deb, folder], { timeout: 60_000, env, ...(signal && { signal }) })),
  };
}

/** Where PATH has a program. */
export async function onPath(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    // Relative entries would make the answer depend on the working directory.
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

/** Why one of these tools failed, in a few words. */
export function lastLine(error: unknown): string {
  const { stderr, message, killed } = error as { stderr?: string; message: string; killed?: boolean };
  if (killed) return 'apt-get took too long';
  return (stderr?.trim() ? stderr : message).trim().split('\n').at(-1) ?? 'unknown';
}
