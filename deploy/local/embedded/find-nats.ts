import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PartLog } from '../supervisor/part.ts';
import { StartError } from '../supervisor/start-error.ts';
import { debianArchive, lastLine, onPath } from './debian-archive.ts';

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
  const reason = await obtainFromDebian(cacheDir, cached, env, log);
  if (reason === undefined && (await answers(cached))) return cached;
  throw new StartError(`no nats-server on PATH and none could be obtained (${reason ?? 'the one obtained does not run here'}); ${WAYS}`);
}

async function answers(program: string): Promise<boolean> {
  return run(program, ['--version'], { timeout: 10_000 }).then(
    ({ stdout, stderr }) => /nats-server/i.test(stdout + stderr),
    () => false,
  );
}

/** Downloads and unpacks the Debian package; answers undefined when done, else why it did not work, in a few words. */
async function obtainFromDebian(cacheDir: string, target: string, env: NodeJS.ProcessEnv, log: PartLog): Promise<string | undefined> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(cacheDir, 'nats-'));
  try {
    const archive = await debianArchive(work, env);
    if (!archive) return 'this system has no apt-get';
    log.info({ part: 'nats' }, 'obtaining nats-server from the Debian archive');
    const [deb] = await archive.download([PROGRAM]);
    if (!deb) return 'apt-get downloaded nothing';
    await archive.unpack(deb, join(work, 'unpacked'));
    const program = (await readdir(work, { recursive: true })).find((path) => /bin\/nats-server$/.test(path));
    if (!program) return 'the Debian package holds no nats-server';
    await copyFile(join(work, program), join(work, 'ready'));
    await chmod(join(work, 'ready'), 0o755);
    await rename(join(work, 'ready'), target);
    return undefined;
  } catch (error) {
    return lastLine(error);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
