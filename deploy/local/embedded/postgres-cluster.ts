import { existsSync } from 'node:fs';
import { chmod, lchown, lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses, type ProcessFacts, stopOrphans } from '../supervisor/orphan-processes.ts';
import { type PartLog } from '../supervisor/part.ts';
import { readOrCreateSecret } from '../supervisor/secret-file.ts';
import { type StopStep } from '../supervisor/spawn-part.ts';
import { StartError } from '../supervisor/start-error.ts';
import { type PostgresBinaries } from './postgres-binaries.ts';
import { fileOwner, type RunAs, runToEnd } from './run-as.ts';

/** The superuser of the embedded server. */
export const POSTGRES_USER = 'parley';

/** SIGINT ends sessions and writes a checkpoint; SIGQUIT leaves the rest to crash recovery, which loses nothing that was committed. */
export const POSTGRES_STOP: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
];

/** The folder inside `dataDir` that holds the cluster itself. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'cluster');

/**
 * How the server receives its data folder; its working directory must be that folder.
 * As another account it cannot walk there by name when an ancestor is closed to it (/root, `mktemp -d`); the folder it stands in is always open.
 */
export function dataFolderArgument(runAs: RunAs, cluster: string): string {
  return runAs.kind !== 'self' && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : cluster;
}

/** Creates the cluster if it is not there, hands its files to `runAs`, and returns the superuser's password. */
export async function prepareCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  runAs: RunAs,
  durable: boolean,
  signal?: AbortSignal,
): Promise<string> {
  const cluster = clusterFolder(dataDir);
  const password = await readOrCreateSecret(join(dataDir, 'password'));
  // The other account passes through our folder and owns nothing in it but the cluster, so it cannot plant links for root to follow.
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
  // Made aside and renamed, so that a start that is cut short leaves no half cluster.
  const fresh = join(dataDir, 'cluster.new');
  const passwordFile = join(dataDir, 'initdb.password');
  try {
    for (const path of [fresh, passwordFile]) await rm(path, { recursive: true, force: true });
    await mkdir(fresh, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
    for (const path of [fresh, passwordFile]) await giveTo(runAs, path);
    const { code, output } = await runToEnd(
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
    // Not path.join: it would fold "/proc/self/cwd/.." into "/proc/self".
    `--pwfile=${folder}/../initdb.password`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Built into the server, so that sorting and case rules do not depend on the machine's locales.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** Stops a server that a killed run left on this cluster and removes its stale pid file. */
export async function clearOrphans(cluster: string, log: PartLog): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const postmaster = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  const path = await realpath(cluster).catch(() => cluster);
  // Every process of a cluster stands in its folder; the name keeps a shell that was left there alive. Without /proc the argument has to do.
  const isOurs = ({ name, cwd, commandLine }: ProcessFacts): boolean =>
    name === 'postgres' && (cwd === path || (cwd === undefined && commandLine.includes(`-D ${path} `)));
  const find = async (): Promise<number[]> => {
    const pids = (await listProcesses()).filter(isOurs).map(({ pid }) => pid);
    // The postmaster ends the others in good order; without it they are on their own.
    return pids.includes(postmaster) ? [postmaster] : pids;
  };
  await stopOrphans('postgres', find, POSTGRES_STOP, log);
  // Its pid may belong to another program by now, which PostgreSQL would take for a running server.
  if ((await find()).length === 0) await rm(pidFile, { force: true });
}

async function giveTo(runAs: RunAs, path: string): Promise<void> {
  const owner = fileOwner(runAs);
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

// The path and what lies directly in it: enough to notice a change of account.
async function ownedThroughout(path: string, uid: number): Promise<boolean> {
  const inside = await readdir(path).catch(() => []);
  const stats = await Promise.all([path, ...inside.map((name) => join(path, name))].map((entry) => lstat(entry)));
  return stats.every((entry) => entry.uid === uid);
}

// Links are not followed: the folder may belong to another account, which must not choose what root gives away.
async function chownTree(path: string, uid: number, gid: number): Promise<void> {
  const isFolder = (await lstat(path)).isDirectory();
  if (isFolder) for (const name of await readdir(path)) await chownTree(join(path, name), uid, gid);
  await lchown(path, uid, gid);
}
