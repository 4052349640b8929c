import { readdirSync, readFileSync } from 'node:fs';

/** What /proc says of one process. */
export interface ProcessStat {
  pid: number;
  parent: number;
  /** User and system time of all its threads and of the children it has waited for, in clock ticks. */
  ticks: number;
}

/** Parses /proc/<pid>/stat; the name in parentheses may hold anything, so fields count from the last one. */
export function parseStat(text: string): ProcessStat | undefined {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const parent = Number(fields[1]);
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  if (fields.length < 15 || ![pid, parent, ticks].every(Number.isFinite)) return undefined;
  return { pid, parent, ticks };
}

/** The stat of one process, or undefined when it has gone. */
export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The given processes that live, and everything below them. */
export function descendantsOf(roots: readonly number[]): number[] {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat): stat is ProcessStat => stat !== undefined);
  return familyOf(roots, stats);
}

/** The roots among `stats`, and everything below them, roots first. */
export function familyOf(roots: readonly number[], stats: readonly ProcessStat[]): number[] {
  const children = groupByParent(stats);
  const family = new Set(stats.filter((stat) => roots.includes(stat.pid)).map((stat) => stat.pid));
  // A set grows while it is walked, so this reaches every generation.
  for (const pid of family) for (const child of children.get(pid) ?? []) family.add(child.pid);
  return [...family];
}

function groupByParent(stats: readonly ProcessStat[]): Map<number, ProcessStat[]> {
  const groups = new Map<number, ProcessStat[]>();
  for (const stat of stats) {
    const siblings = groups.get(stat.parent);
    if (siblings) siblings.push(stat);
    else groups.set(stat.parent, [stat]);
  }
  return groups;
}
