import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Whether a pid is running, and a text that distinguishes this process from a later one with the same pid (boot and start time); undefined
 * where the system does not provide it.
 */
export interface ProcessStatus {
  readonly running: boolean;
  readonly identity?: string | undefined;
}

/** Looks up a pid. A zombie, which has ended but was not yet collected by its parent, is not running. */
export async function getProcessStatus(pid: number): Promise<ProcessStatus> {
  if (!exists(pid)) return { running: false };
  try {
    const [stat, boot] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile('/proc/sys/kernel/random/boot_id', 'utf8')]);
    // The command name may contain spaces and brackets; after it follow the state and, 19 fields on, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { running: fields[0] !== 'Z' && fields[0] !== 'X', identity: `${boot.trim()}/${fields[19]}` };
  } catch {
    return { running: true, identity: await startedAsPsSays(pid) };
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function startedAsPsSays(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: 5_000 });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
