import { readFileSync } from 'node:fs';
import { descendantsOf } from './processes.ts';

/**
 * Resident memory in KiB of the given processes and everything below them, pages that several share (PostgreSQL's buffers, Node's own
 * code) divided among those that map them, so that no page counts twice; plain RSS where the kernel does not tell.
 */
export function readMemoryKib(roots: readonly number[]): number {
  return descendantsOf(roots).reduce((sum, pid) => sum + memoryOf(pid), 0);
}

function memoryOf(pid: number): number {
  return readField(`/proc/${pid}/smaps_rollup`, 'Pss') ?? readField(`/proc/${pid}/status`, 'VmRSS') ?? 0;
}

function readField(path: string, field: string): number | undefined {
  try {
    return parseKib(readFileSync(path, 'latin1'), field);
  } catch {
    return undefined;
  }
}

/** The kB value of one field of a /proc text. */
export function parseKib(text: string, field: string): number | undefined {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text);
  return match ? Number(match[1]) : undefined;
}
