import { readdirSync, readFileSync } from 'node:fs';
import { descendantsOf } from '../measure/processes.ts';

const NS_PER_MICRO = 1_000;
const MICROS_PER_TICK = 10_000;

/** CPU time of one process at one moment, in µs. */
export interface ProcessTime {
  /** Its name: a service, a PostgreSQL backend with its number, or a program. */
  name: string;
  micros: number;
  /** Time of children that have ended and that it has waited for. */
  endedMicros: number;
}

/** Times by process id. */
export type ProcessTimes = ReadonlyMap<number, ProcessTime>;

/** Reads the scheduler's own account (ns instead of ticks of 10 ms) of the given processes and everything below them. */
export function readProcessTimes(roots: readonly number[]): ProcessTimes {
  const times = new Map<number, ProcessTime>();
  for (const pid of descendantsOf(roots)) {
    const time = processTime(pid);
    if (time) times.set(pid, time);
  }
  return times;
}

/** Name for the time of children that no reading has seen. */
const ENDED = 'processes that have ended';

/**
 * CPU µs between two readings, by name. `ended` are processes that were seen in between and have ended: the parent that waited for them
 * counts them too, which is taken off.
 */
export function microsByName(
  before: ProcessTimes,
  after: ProcessTimes,
  ended: ProcessTimes,
  nameOf: (pid: number, name: string) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, micros: number): void => void sums.set(name, (sums.get(name) ?? 0) + micros);
  for (const [pid, { name, micros, endedMicros }] of after) {
    const was = before.get(pid);
    add(nameOf(pid, name), micros - (was?.micros ?? 0));
    add(ENDED, endedMicros - (was?.endedMicros ?? 0));
  }
  for (const [pid, { name, micros }] of ended) {
    add(nameOf(pid, name), micros - (before.get(pid)?.micros ?? 0));
    add(ENDED, -micros);
  }
  return sums;
}

function processTime(pid: number): ProcessTime | undefined {
  try {
    const { name, ownTicks, childTicks } = parseTimes(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    const threads = readdirSync(`/proc/${pid}/task`);
    const living = threads.reduce((sum, thread) => sum + threadMicros(pid, thread), 0);
    // Threads that have ended are only in the ticks of the process.
    const micros = Math.max(living, ownTicks * MICROS_PER_TICK);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { name: nameOfCommand(command, name), micros, endedMicros: childTicks * MICROS_PER_TICK };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

function threadMicros(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / NS_PER_MICRO;
  } catch {
    return 0;
  }
}

function parseTimes(stat: string): { name: string; ownTicks: number; childTicks: number } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (from: number): number => Number(fields[from]) + Number(fields[from + 1]);
  return { name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), ownTicks: ticks(11), childTicks: ticks(13) };
}

/** What a command line runs, in a word or two. */
export function nameOfCommand(command: readonly string[], program: string): string {
  const title = (command[0] ?? '').trim();
  // PostgreSQL writes the purpose of a process into its title; the title of a backend ends with its current activity.
  const role = /^postgres: (.+)$/.exec(title)?.[1];
  if (role !== undefined) return / \d+\.\d+\.\d+\.\d+\(\d+\)/.test(role) ? 'postgres: backend' : `postgres: ${role.trim()}`;
  const script = command.findLast((part) => /\.m?js$/.test(part));
  if (script !== undefined) return `node: ${script.replace(/^.*\//, '').replace(/\.m?js$/, '')}`;
  return program;
}
