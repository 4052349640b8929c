import { spawn, type SpawnOptions } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { StartError } from '../supervisor/start-error.ts';

/**
 * Who runs PostgreSQL, which refuses to be root.
 * - self: we are not root; nothing changes.
 * - user: root drops to another account, with no capability left.
 * - namespace: root without the right to change accounts (a user namespace with a single id) appears as another account in one more namespace.
 */
export type RunAs =
  | { readonly kind: 'self' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'namespace'; readonly uid: number; readonly gid: number };

/** Output and exit code of a finished program. */
export interface RunResult {
  readonly code: number | null;
  readonly output: string;
}

/** Chooses who runs PostgreSQL for a cluster folder (which need not exist yet). Throws StartError when root has no account to run it as. */
export async function chooseRunAs(cluster: string): Promise<RunAs> {
  if (process.geteuid?.() !== 0) return { kind: 'self' };
  const account = await chooseAccount(cluster);
  for (const kind of ['user', 'namespace'] as const) {
    const runAs: RunAs = { kind, ...account };
    const probe = await runToCompletion(runAs, '/bin/sh', ['-c', 'exit 0'], '/', 10_000).catch(() => undefined);
    if (probe?.code === 0) return runAs;
  }
  throw new StartError(
    'PostgreSQL refuses to run as root and no other account can be used here; start Parley as another user or set DATABASE_URL',
  );
}

/** Returns the required owner of the cluster's files, as this process sees it; undefined when they need no change. */
export function getFileOwner(runAs: RunAs): { uid: number; gid: number } | undefined {
  if (runAs.kind === 'self') return undefined;
  return runAs.kind === 'user' ? { uid: runAs.uid, gid: runAs.gid } : { uid: 0, gid: 0 };
}

/** Returns the arguments of `spawn` that run `command` as that account. */
export function toSpawnArguments(
  runAs: RunAs,
  command: string,
  args: readonly string[],
): { command: string; args: readonly string[]; options: SpawnOptions } {
  // A minimal environment: the account must not be able to read this process's secrets, and PG* variables must not affect the server.
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  if (runAs.kind === 'self') return { command, args, options: { env } };
  if (runAs.kind === 'user') return { command, args, options: { env, uid: runAs.uid, gid: runAs.gid } };
  const ids = ['--user', `--map-user=${runAs.uid}`, `--map-group=${runAs.gid}`];
  return { command: 'unshare', args: [...ids, '--', command, ...args], options: { env } };
}

/** Runs a program to its end in folder `cwd`; it is killed after `timeoutMs` or when the signal aborts. Rejects when it cannot be started. */
export function runToCompletion(
  runAs: RunAs,
  program: string,
  programArgs: readonly string[],
  cwd: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<RunResult> {
  const { command, args, options } = toSpawnArguments(runAs, program, programArgs);
  const limit = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

async function chooseAccount(cluster: string): Promise<{ uid: number; gid: number }> {
  // The owner of existing files decides: the account must stay the same when another one is installed later.
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const [, , uid, gid] = lines.find(([entry]) => entry === name) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    'PostgreSQL refuses to run as root and there is no account "postgres" or "nobody"; start Parley as another user or set DATABASE_URL',
  );
}
