import { readFileSync } from 'node:fs';
import { parseKib } from './memory.ts';
import { descendantsOf } from './processes.ts';

/** Memory of all processes of one program, in KiB. */
export interface ProgramMemory {
  /** Resident, shared pages counted in every process that maps them. */
  rssKib: number;
  /** Resident and the process's own (heap, stacks, JIT): what a leak grows. */
  privateKib: number;
  processes: number;
}

/** Memory of the given processes and everything below them, by program name. */
export function readPrograms(roots: readonly number[]): Record<string, ProgramMemory> {
  const programs: Record<string, ProgramMemory> = {};
  for (const pid of descendantsOf(roots)) {
    const status = statusOf(pid);
    const name = status && /^Name:\s+(.+)$/m.exec(status)?.[1];
    if (!status || !name) continue;
    const sum = (programs[programOf(name)] ??= { rssKib: 0, privateKib: 0, processes: 0 });
    sum.rssKib += parseKib(status, 'VmRSS') ?? 0;
    sum.privateKib += parseKib(status, 'RssAnon') ?? 0;
    sum.processes += 1;
  }
  return programs;
}

// Node names its main thread in newer versions, and a process carries the name of its main thread.
function programOf(name: string): string {
  return name === 'MainThread' || name === 'node-MainThread' ? 'node' : name;
}

function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return undefined;
  }
}
