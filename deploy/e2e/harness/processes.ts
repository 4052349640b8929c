import { waitFor } from '@parley/kit/testing/wait-for';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process as /proc shows it; `startedAt` tells it from a later one with the same pid. */
export interface Sighting {
  pid: number;
  parent: number;
  startedAt: string;
  commandLine: string;
}

/** Every process below `root`, and `root` itself. */
export function familyOf(root: number): Sighting[] {
  const all = sightings();
  const family = new Set([root]);
  // A child's pid may be smaller than its parent's, so one pass is not enough.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

/** What is still running of a family, or works in or for a data folder. */
export function leftovers(family: readonly Sighting[], dataDir: string): Sighting[] {
  const known = new Set(family.map(nameOf));
  return sightings().filter((seen) => known.has(nameOf(seen)) || worksFor(seen, dataDir));
}

/** Waits until nothing is left; else ends what is left, so that it disturbs no later test, and throws naming it. */
export async function nothingLeft(family: readonly Sighting[], dataDir: string, timeoutMs: number): Promise<void> {
  let left: Sighting[] = [];
  await waitFor(() => (left = leftovers(family, dataDir)).length === 0, { timeoutMs, everyMs: 50 }).catch(() => undefined);
  if (left.length === 0) return;
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  throw new Error(`left running after ${timeoutMs} ms:\n${left.map(({ pid, commandLine }) => `${pid} ${commandLine}`).join('\n')}`);
}

function nameOf({ pid, startedAt }: Sighting): string {
  return `${pid}@${startedAt}`;
}

// Files of /proc are read synchronously: a promise for each would take ten times as long.
function sightings(): Sighting[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => sight(Number(pid))).filter((sighting) => sighting !== undefined);
}

function sight(pid: number): Sighting | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold blanks; the fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A dead child whose parent has not waited for it is no running process.
    if (fields[0] === 'Z') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    // One that is ending has given its memory back, and its command line with it; on a busy machine the rest of its end takes seconds.
    if (commandLine === '') return undefined;
    return { pid, parent: Number(fields[1]), startedAt: fields[19] ?? '', commandLine };
  } catch {
    return undefined;
  }
}

function worksFor({ pid, commandLine }: Sighting, dataDir: string): boolean {
  if (pid === process.pid) return false;
  const environment = orNothing(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
  const folder = orNothing(() => readlinkSync(`/proc/${pid}/cwd`));
  return commandLine.includes(dataDir) || environment.includes(dataDir) || folder.startsWith(dataDir);
}

/** A process may have ended, or belong to another user. */
function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
