import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessExit, type RunningProcess } from './running-process.ts';

/** One step of stopping: sends `signal` and waits up to `waitMs` milliseconds for the exit. SIGKILL follows the last step. */
export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** A running child process. */
export interface SpawnedProcess extends RunningProcess {
  readonly child: ChildProcess;
}

/** Spawns a child in a separate session, so that the terminal's Ctrl-C does not reach it. Rejects when it cannot be executed. */
export async function spawnProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  stopSteps: readonly StopStep[],
): Promise<SpawnedProcess> {
  const child = spawn(command, args, { ...options, detached: true });
  const exited = new Promise<ProcessExit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  // Later errors are failed signals or a closed IPC channel; `exited` is sufficient.
  child.on('error', () => undefined);
  let stopping: Promise<void> | undefined;
  return {
    child,
    pid: child.pid ?? 0,
    exited,
    stop: () => (stopping ??= stopInSteps(child, exited, stopSteps)),
    kill: (signal) => void child.kill(signal),
  };
}

async function stopInSteps(child: ChildProcess, exited: Promise<ProcessExit>, steps: readonly StopStep[]): Promise<void> {
  for (const step of steps) {
    child.kill(step.signal);
    if (await settlesWithin(exited, step.waitMs)) return;
  }
  child.kill('SIGKILL');
  await exited;
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const settled = await Promise.race([promise.then(() => true), timeout]);
  timer.abort();
  return settled;
}
