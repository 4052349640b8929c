import { readdir, readFile, readlink } from 'node:fs/promises';
import { waitFor } from '@parley/kit/testing/wait-for';

/** A process as /proc shows it; `startedAt` tells it from a later one with the same pid. */
export interface Sighting {
  pid: number;
  parent: number;
  startedAt: string;
  commandLine: string;
}

/** Every process below `root`, and `root` itself. */
export async function familyOf(root: number): Promise<Sighting[]> {
  const all = await sightings();
  const family = new Set([root]);
  // A child's pid may be smaller than its parent's, so one pass is not enough.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

/** What is still running of a family, or works in or for a data folder. */
export async function leftovers(family: readonly Sighting[], dataDir: string): Promise<Sighting[]> {
  const known = new Set(family.map(nameOf));
  const all = await sightings();
  const isLeft = await Promise.all(all.map(async (seen) => known.has(nameOf(seen)) || worksFor(seen, dataDir)));
  return all.filter((_seen, index) => isLeft[index]);
}

/** Waits until nothing is left; else ends what is left, so that it disturbs no later test, and throws naming it. */
export async function nothingLeft(family: readonly Sighting[], dataDir: string, timeoutMs: number): Promise<void> {
  let left: Sighting[] = [];
  await waitFor(async () => (left = await leftovers(family, dataDir)).length === 0, { timeoutMs, everyMs: 50 }).catch(() => undefined);
  if (left.length === 0) return;
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  throw new Error(`left running after ${timeoutMs} ms:\n${left.map(({ pid, commandLine }) => `${pid} ${commandLine}`).join('\n')}`);
}

function nameOf({ pid, startedAt }: Sighting): string {
  return `${pid}@${startedAt}`;
}

async function sightings(): Promise<Sighting[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const seen = await Promise.all(pids.map(sight));
  return seen.filter((sighting) => sighting !== undefined);
}

async function sight(pid: number): Promise<Sighting | undefined> {
  try {
    const [stat, commandLine] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile(`/proc/${pid}/cmdline`, 'utf8')]);
    // The name in brackets may hold blanks; the fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A dead child whose parent has not waited for it is no running process.
    if (fields[0] === 'Z') return undefined;
    return { pid, parent: Number(fields[1]), startedAt: fields[19] ?? '', commandLine: commandLine.replaceAll('\0', ' ').trim() };
  } catch {
    return undefined;
  }
}

async function worksFor({ pid, commandLine }: Sighting, dataDir: string): Promise<boolean> {
  if (pid === process.pid) return false;
  const [environment, folder] = await Promise.all([
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  return commandLine.includes(dataDir) || environment.includes(dataDir) || folder.startsWith(dataDir);
}
