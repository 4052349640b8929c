import { type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff } from './backoff.ts';
import { type RunningProcess, type BasicLogger } from './running-process.ts';
import { type SpawnedProcess, spawnProcess } from './spawn-process.ts';
import { StartError } from './start-error.ts';
import { supervise, type SupervisedProcess } from './supervise.ts';

/** A Node child: how to start it and how to detect that it is ready. */
export interface NodeProcessOptions<T> {
  readonly name: string;
  /** Arguments of Node: options, the script and its arguments. */
  readonly args: readonly string[];
  /** The child's whole environment; nothing is inherited. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  readonly log: BasicLogger;
  /** Resolves when the child is ready, for example with the content of its first IPC message. */
  readonly waitUntilReady: (child: ChildProcess) => Promise<T>;
  /** Timeout of the start in milliseconds. @default 60 000 */
  readonly readyTimeoutMs?: number | undefined;
  /** Time for a drain between SIGTERM and SIGKILL, in milliseconds. @default 60 000 */
  readonly stopTimeoutMs?: number | undefined;
  /** Called with every line that the child writes. */
  readonly onLine?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined;
  readonly onRestart?: ((handle: NodeProcessHandle<T>) => void) | undefined;
  readonly backoff?: Backoff | undefined;
}

/** A running child and the result of `waitUntilReady`. */
export interface NodeProcessHandle<T> extends RunningProcess {
  readonly child: ChildProcess;
  readonly value: T;
}

/** Value of Node's `--import` option: makes a child with an IPC channel end with its parent. */
// The child drains when its parent ends, and exits after 10 s. As a data: URL it needs no file next to the compiled code; the channel is
// unreferenced so that it does not keep a finished child alive.
export const EXIT_WITH_PARENT_IMPORT = `data:text/javascript,${encodeURIComponent(
  `process.once('disconnect', () => { setTimeout(() => process.exit(1), 10000).unref(); process.kill(process.pid, 'SIGTERM'); }); process.channel?.unref();`,
)}`;

/** Keeps a Node child running: IPC channel, restart with back-off, SIGTERM then SIGKILL on stop. Rejects when the first start fails. */
export function superviseNodeProcess<T>(options: NodeProcessOptions<T>): Promise<SupervisedProcess<NodeProcessHandle<T>>> {
  const { name, log, onRestart, backoff } = options;
  return supervise({ name, log, onRestart, backoff, start: (signal) => startProcess(options, signal) });
}

async function startProcess<T>(options: NodeProcessOptions<T>, signal: AbortSignal): Promise<NodeProcessHandle<T>> {
  const part = await spawnProcess(
    process.execPath,
    ['--import', EXIT_WITH_PARENT_IMPORT, ...options.args],
    { cwd: options.cwd, env: options.env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    [{ signal: 'SIGTERM', waitMs: options.stopTimeoutMs ?? 60_000 }],
  );
  passLines(part.child, options.onLine);
  try {
    const value = await readyInTime(part, options, signal);
    return { ...part, value };
  } catch (error) {
    part.kill('SIGKILL');
    await part.exited;
    throw error;
  }
}

async function readyInTime<T>(part: SpawnedProcess, options: NodeProcessOptions<T>, stopped: AbortSignal): Promise<T> {
  const { name, readyTimeoutMs = 60_000 } = options;
  const settled = new AbortController();
  const giveUp = AbortSignal.any([stopped, settled.signal]);
  const tooLate = delay(readyTimeoutMs, undefined, { signal: giveUp }).then(() => {
    throw new StartError(`${name} was not ready within ${readyTimeoutMs} ms`);
  });
  const died = part.exited.then(({ code, signal }) => {
    throw new StartError(`${name} ended before it was ready (${signal ?? `exit code ${code}`})`);
  });
  try {
    return await Promise.race([options.waitUntilReady(part.child), tooLate, died]);
  } finally {
    settled.abort();
    // The other promises of the race reject later, when no caller waits.
    tooLate.catch(() => undefined);
    died.catch(() => undefined);
  }
}

function passLines<T>(child: ChildProcess, onLine: NodeProcessOptions<T>['onLine']): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    const source = child[stream];
    // Unread output would fill the pipe and stop the child.
    if (!source || !onLine) source?.resume();
    else createInterface({ input: source, crlfDelay: Infinity }).on('line', (line) => onLine(line, stream));
  }
}
