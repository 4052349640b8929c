import { existsSync } from 'node:fs';
import { chmod, lchown, lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses, type ProcessInfo, stopOrphanProcesses } from '../supervisor/orphan-processes.ts';
import { type BasicLogger } from '../supervisor/running-process.ts';
import { readOrCreateSecret } from '../supervisor/secret-file.ts';
import { type StopStep } from '../supervisor/spawn-process.ts';
import { StartError } from '../supervisor/start-error.ts';
import { type PostgresBinaries } from './postgres-binaries.ts';
import { getFileOwner, type RunAs, runToCompletion } from './run-as.ts';

/** The superuser of the embedded server. */
export const POSTGRES_USER = 'parley';

/** SIGINT ends sessions and writes a checkpoint; SIGQUIT leaves the rest to crash recovery, which loses nothing that was committed. */
export const POSTGRES_STOP_STEPS: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
];

/** Returns the folder of the cluster inside `dataDir`. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'cluster');

/**
 * Returns the server's argument for its data folder; the server's working directory must be that folder. Another account cannot access the
 * path when a parent folder is closed to it (/root, `mktemp -d`), but always its working directory.
 */
export function dataFolderArgument(runAs: RunAs, cluster: string): string {
  return runAs.kind !== 'self' && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : cluster;
}

/**
 * Creates the cluster if it does not exist, gives its files to `runAs`, and resolves with the superuser's password. Throws StartError when
 * another major version has created it.
 */
export async function prepareCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  runAs: RunAs,
  durable: boolean,
  signal?: AbortSignal,
): Promise<string> {
  const cluster = clusterFolder(dataDir);
  const password = await readOrCreateSecret(join(dataDir, 'password'));
  // The other account can traverse this folder and owns nothing in it but the cluster, so it cannot create links for root to follow.
  if (runAs.kind !== 'self') await chmod(dataDir, 0o711);
  const major = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (major === undefined) await createCluster(dataDir, password, binaries, runAs, durable, signal);
  else if (major.trim() !== binaries.major) {
    throw new StartError(
      `${cluster} was made by PostgreSQL ${major.trim()}, this is ${binaries.major}; dump and restore it, or set DATABASE_URL`,
    );
  }
  await giveTo(runAs, cluster);
  return password;
}

async function createCluster(
  dataDir: string,
  password: string,
  binaries: PostgresBinaries,
  runAs: RunAs,
  durable: boolean,
  signal?: AbortSignal,
): Promise<void> {
  // Created under another name and renamed, so that an interrupted start leaves no incomplete cluster.
  const fresh = join(dataDir, 'cluster.new');
  const passwordFile = join(dataDir, 'initdb.password');
  try {
    for (const path of [fresh, passwordFile]) await rm(path, { recursive: true, force: true });
    await mkdir(fresh, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
    for (const path of [fresh, passwordFile]) await giveTo(runAs, path);
    const { code, output } = await runToCompletion(
      runAs,
      binaries.initdb,
      initdbFlags(dataFolderArgument(runAs, fresh), durable),
      fresh,
      120_000,
      signal,
    );
    if (code !== 0)
      throw new StartError(
        `initdb failed (exit code ${code}): ${output.trim().split('\n').slice(-3).join(' ')}; set DATABASE_URL to use your own PostgreSQL`,
      );
    await rename(fresh, clusterFolder(dataDir));
  } finally {
    for (const path of [fresh, passwordFile]) await rm(path, { recursive: true, force: true });
  }
}

function initdbFlags(folder: string, durable: boolean): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${POSTGRES_USER}`,
    // Not path.join: it would shorten "/proc/self/cwd/.." to "/proc/self".
    `--pwfile=${folder}/../initdb.password`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in locale provider: sorting and case rules do not depend on the machine's locales.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** Stops a server that a killed run left on this cluster and removes its stale pid file. */
export async function stopOrphanServer(cluster: string, log: BasicLogger): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const postmaster = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  const path = await realpath(cluster).catch(() => cluster);
  // Every process of a cluster has its folder as working directory; the name excludes shells in it. Without /proc, the arguments are
  // compared.
  const isOurs = ({ name, cwd, commandLine }: ProcessInfo): boolean =>
    name === 'postgres' && (cwd === path || (cwd === undefined && commandLine.includes(`-D ${path} `)));
  const find = async (): Promise<number[]> => {
    const pids = (await listProcesses()).filter(isOurs).map(({ pid }) => pid);
    // The postmaster stops the others gracefully; without it each must be stopped.
    return pids.includes(postmaster) ? [postmaster] : pids;
  };
  await stopOrphanProcesses('postgres', find, POSTGRES_STOP_STEPS, log);
  // Its pid may belong to another program now, which PostgreSQL would take for a running server.
  if ((await find()).length === 0) await rm(pidFile, { force: true });
}

async function giveTo(runAs: RunAs, path: string): Promise<void> {
  const owner = getFileOwner(runAs);
  if (!owner || (await ownedThroughout(path, owner.uid))) return;
  try {
    await chownTree(path, owner.uid, owner.gid);
  } catch (error) {
    throw new StartError(
      `${path} cannot be given to the account that runs PostgreSQL; use a data folder on a local disk, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

// Checks the path and its direct entries: enough to notice a change of account.
async function ownedThroughout(path: string, uid: number): Promise<boolean> {
  const inside = await readdir(path).catch(() => []);
  const stats = await Promise.all([path, ...inside.map((name) => join(path, name))].map((entry) => lstat(entry)));
  return stats.every((entry) => entry.uid === uid);
}

// Does not follow links: the folder may belong to another account, which must not be able to choose files that root gives away.
async function chownTree(path: string, uid: number, gid: number): Promise<void> {
  const isFolder = (await lstat(path)).isDirectory();
  if (isFolder) for (const name of await readdir(path)) await chownTree(join(path, name), uid, gid);
  await lchown(path, uid, gid);
}
