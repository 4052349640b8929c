import { readFileSync } from 'node:fs';
import { descendantsOf, readStat } from './processes.ts';

// Linux tells user space 100 ticks a second on every architecture that Node runs on.
const MICROS_PER_TICK = 10_000;

/** CPU time of some processes at one moment, in µs by process id. */
export type CpuReading = ReadonlyMap<number, number>;

/** Reads the CPU time of the given processes and everything below them. */
export function readCpu(roots: readonly number[]): CpuReading {
  const reading = new Map<number, number>();
  for (const pid of descendantsOf(roots)) {
    const stat = readStat(pid);
    if (stat) reading.set(pid, stat.ticks * MICROS_PER_TICK);
  }
  return reading;
}

/**
 * CPU µs that passed between two readings. Sums are compared, not processes: the time of one that has ended in between (a PostgreSQL
 * backend, an autovacuum worker) is with the parent that waited for it.
 */
export function cpuBetween(before: CpuReading, after: CpuReading): number {
  return total(after) - total(before);
}

function total(reading: CpuReading): number {
  let micros = 0;
  for (const each of reading.values()) micros += each;
  return micros;
}

/** CPU µs that all processes of the machine have used since it started, and what the hypervisor took; softirqs are left out: on loopback they are ours. */
export function readMachineCpu(): number {
  return parseMachineCpu(readFileSync('/proc/stat', 'latin1'));
}

/** The same from the text of /proc/stat. */
export function parseMachineCpu(text: string): number {
  const fields = (/^cpu +(.*)$/m.exec(text)?.[1] ?? '').split(' ').map(Number);
  const [user = 0, nice = 0, system = 0] = fields;
  return (user + nice + system + (fields[7] ?? 0)) * MICROS_PER_TICK;
}

/** What part of one core others used while we measured. */
export function foreignShare(machineMicros: number, ownMicros: number, seconds: number): number {
  return Math.max(0, (machineMicros - ownMicros) / (seconds * 1e6));
}
