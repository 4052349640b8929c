import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { pollUntil } from './poll-until.ts';
import { type BasicLogger } from './running-process.ts';
import { type StopStep } from './spawn-process.ts';

/** Facts about a process of this machine. */
export interface ProcessInfo {
  readonly pid: number;
  /** The program's file name. */
  readonly name: string;
  /** Program and arguments, joined by spaces, with a trailing space. */
  readonly commandLine: string;
  /** Undefined without /proc, or when it may not be read. */
  readonly cwd?: string | undefined;
}

/** Returns the processes of this machine that are visible to this account. */
export async function listProcesses(): Promise<ProcessInfo[]> {
  const entries = await readdir('/proc').catch(() => undefined);
  if (!entries) return listWithPs();
  const facts = await Promise.all(entries.filter((entry) => /^\d+$/.test(entry)).map((pid) => readFacts(Number(pid))));
  return facts.filter((fact) => fact !== undefined);
}

async function readFacts(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const [name, commandLine, cwd] = await Promise.all([
      readFile(`/proc/${pid}/comm`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readlink(`/proc/${pid}/cwd`).catch(() => undefined),
    ]);
    return { pid, name: name.trim(), commandLine: commandLine.replaceAll('\0', ' '), cwd };
  } catch {
    return undefined;
  }
}

async function listWithPs(): Promise<ProcessInfo[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    timeout: 5_000,
    maxBuffer: 16 * 1024 * 1024,
  }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [, pid, program, rest] = /^\s*(\d+)\s+(\S+)(.*)$/.exec(line) ?? [];
    return program === undefined ? [] : [{ pid: Number(pid), name: basename(program), commandLine: `${program}${rest} ` }];
  });
}

/**
 * Stops processes that an earlier, killed run left behind. `find` is called again before every signal, so that no reused pid is signalled.
 */
export async function stopOrphanProcesses(
  part: string,
  find: () => Promise<number[]>,
  steps: readonly StopStep[],
  log: BasicLogger,
): Promise<void> {
  for (const step of [...steps, { signal: 'SIGKILL', waitMs: 5_000 } as const]) {
    const pids = await find();
    if (pids.length === 0) return;
    log.warn({ part, pids, signal: step.signal }, 'stopping what an earlier run left behind');
    for (const pid of pids) signalIfAlive(pid, step.signal);
    const gone = await pollUntil(async () => ((await find()).length === 0 ? true : undefined), { timeoutMs: step.waitMs, everyMs: 50 });
    if (gone) return;
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended, or belongs to another account: then the start itself reports the conflict.
  }
}
