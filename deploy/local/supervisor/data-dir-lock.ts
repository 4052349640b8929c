import { randomUUID } from 'node:crypto';
import { readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pollUntil } from './poll-until.ts';
import { getProcessStatus } from './process-status.ts';
import { StartError } from './start-error.ts';

const CLAIM = /^lock\.(\d+)\.[0-9a-f-]{36}$/;

/**
 * Locks a data folder for this process, and deletes the claims of dead processes. Resolves with the function that releases the lock. Throws
 * StartError with the holder's pid.
 *
 * Each process writes a claim with a unique name and then looks for others; a process that sees no other live claim holds the lock. Of two
 * processes, at least the later writer sees the other, so they can never both hold it; and as names are unique, any process can delete a
 * dead claim without a race.
 */
export async function lockDataDir(root: string): Promise<() => Promise<void>> {
  const mine = `lock.${process.pid}.${randomUUID()}`;
  const release = (): Promise<void> => unlink(join(root, mine)).catch(() => undefined);
  const { identity = '' } = await getProcessStatus(process.pid);
  await writeFile(join(root, mine), identity, { mode: 0o600, flag: 'wx' });
  let others: string[] = [];
  const decide = async (): Promise<'held' | 'lost' | undefined> => {
    others = (await livingClaims(root)).filter((claim) => claim !== mine);
    if (others.length === 0) return 'held';
    // Of several concurrent starts, the one with the lowest name waits for the others to withdraw, so that one of them succeeds.
    return others.some((claim) => claim < mine) ? 'lost' : undefined;
  };
  const outcome = await pollUntil(decide, { timeoutMs: 500, everyMs: 20 });
  if (outcome === 'held') return release;
  await release();
  throw new StartError(
    `the data folder ${root} is in use by another Parley (pid ${pidOf(others[0] ?? '')}); stop it or set PARLEY_DATA_DIR`,
  );
}

async function livingClaims(root: string): Promise<string[]> {
  const claims = (await readdir(root)).filter((name) => CLAIM.test(name));
  const living = await Promise.all(claims.map(async (claim) => ((await isAlive(root, claim)) ? [claim] : [])));
  return living.flat();
}

async function isAlive(root: string, claim: string): Promise<boolean> {
  const file = join(root, claim);
  const claimed = await readFile(file, 'utf8').catch(() => undefined);
  if (claimed === undefined) return false;
  const { running, identity } = await getProcessStatus(Number(pidOf(claim)));
  // Same pid, other start time: the pid was reused. An empty claim is still being written.
  if (running && (claimed === '' || identity === undefined || identity === claimed)) return true;
  await unlink(file).catch(() => undefined);
  return false;
}

function pidOf(claim: string): string {
  return CLAIM.exec(claim)?.[1] ?? 'unknown';
}
