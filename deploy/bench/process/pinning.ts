import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { findOnPath } from './find-on-path.ts';

/** Which core runs what; undefined cores mean that nothing is pinned, and why. */
export interface Pinning {
  loadCore: number | undefined;
  targetCore: number | undefined;
  note: string;
}

/** Load and mock on core 0, the target on core 1, so that neither can take the other's time; needs two cores and taskset. */
export async function planPinning(): Promise<Pinning> {
  const off = (why: string): Pinning => ({ loadCore: undefined, targetCore: undefined, note: `not pinned: ${why}` });
  if (availableParallelism() < 2) return off('one core');
  if ((await findOnPath('taskset')) === undefined) return off('no taskset');
  return { loadCore: 0, targetCore: 1, note: 'load and mock on core 0, the target with everything it starts on core 1' };
}

/** Moves this process to the load's core as well: reading /proc would cost the target time otherwise. */
export async function pinSelf({ loadCore }: Pinning): Promise<void> {
  if (loadCore !== undefined) await promisify(execFile)('taskset', ['-acp', String(loadCore), String(process.pid)]);
}

/** The command line that runs `command` on one core; children inherit the core. */
export function pinned(core: number | undefined, command: string, args: readonly string[]): [string, string[]] {
  return core === undefined ? [command, [...args]] : ['taskset', ['-c', String(core), command, ...args]];
}
