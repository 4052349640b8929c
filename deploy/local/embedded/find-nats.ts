import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BasicLogger } from '../supervisor/running-process.ts';
import { StartError } from '../supervisor/start-error.ts';
import { findOnPath } from './debian-archive.ts';
import { downloadDebianPrograms } from './download-debian-programs.ts';

const run = promisify(execFile);

const PROGRAM = 'nats-server';
const WAYS =
  'install it (Debian: apt-get install nats-server, macOS: brew install nats-server, others: https://github.com/nats-io/nats-server/releases), ' +
  'set NATS_URL to a server that runs, or use docker compose up';

/** Where to look, and where to store a downloaded program. */
export interface FindNatsOptions {
  readonly cacheDir: string;
  /** Only PATH and the proxy variables are used. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: BasicLogger;
}

/**
 * Finds a nats-server that runs on this machine: on PATH, in the cache, or downloaded from the Debian archive. Throws StartError that names
 * alternatives.
 */
export async function findNats({ cacheDir, env, log }: FindNatsOptions): Promise<string> {
  const cached = join(cacheDir, PROGRAM);
  for (const candidate of [await findOnPath(PROGRAM, env), cached]) {
    if (candidate && (await answers(candidate))) return candidate;
  }
  const reason = await downloadDebianPrograms({ packageName: PROGRAM, programs: [PROGRAM], cacheDir, env, log });
  if (reason === undefined && (await answers(cached))) return cached;
  throw new StartError(`no nats-server on PATH and none could be obtained (${reason ?? 'the one obtained does not run here'}); ${WAYS}`);
}

async function answers(program: string): Promise<boolean> {
  return run(program, ['--version'], { timeout: 10_000 }).then(
    ({ stdout, stderr }) => /nats-server/i.test(stdout + stderr),
    () => false,
  );
}
