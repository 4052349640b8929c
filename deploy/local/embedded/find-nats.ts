import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PartLog } from '../supervisor/part.ts';
import { StartError } from '../supervisor/start-error.ts';
import { onPath } from './debian-archive.ts';
import { obtainFromDebian } from './obtain-from-debian.ts';

const run = promisify(execFile);

const PROGRAM = 'nats-server';
const WAYS =
  'install it (Debian: apt-get install nats-server, macOS: brew install nats-server, others: https://github.com/nats-io/nats-server/releases), ' +
  'set NATS_URL to a server that runs, or use docker compose up';

/** Where to look and where to keep what was obtained. */
export interface FindNatsOptions {
  readonly cacheDir: string;
  /** Only PATH and the proxy variables matter. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: PartLog;
}

/** The path of a nats-server that runs here: on PATH, in the cache, else obtained from Debian's archive. Throws StartError naming the other ways. */
export async function findNats({ cacheDir, env, log }: FindNatsOptions): Promise<string> {
  const cached = join(cacheDir, PROGRAM);
  for (const candidate of [await onPath(PROGRAM, env), cached]) {
    if (candidate && (await answers(candidate))) return candidate;
  }
  const reason = await obtainFromDebian({ packageName: PROGRAM, programs: [PROGRAM], cacheDir, env, log });
  if (reason === undefined && (await answers(cached))) return cached;
  throw new StartError(`no nats-server on PATH and none could be obtained (${reason ?? 'the one obtained does not run here'}); ${WAYS}`);
}

async function answers(program: string): Promise<boolean> {
  return run(program, ['--version'], { timeout: 10_000 }).then(
    ({ stdout, stderr }) => /nats-server/i.test(stdout + stderr),
    () => false,
  );
}
