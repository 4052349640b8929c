import { execFile } from 'node:child_process';
import { access, chmod, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { type PartLog } from '../supervisor/part.ts';
import { StartError } from '../supervisor/start-error.ts';

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

async function onPath(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    // Relative entries would make the answer depend on the working directory.
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, program);
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return undefined;
}

async function answers(program: string): Promise<boolean> {
  return run(program, ['--version'], { timeout: 10_000 }).then(
    ({ stdout, stderr }) => /nats-server/i.test(stdout + stderr),
    () => false,
  );
}

/** Downloads and unpacks the Debian package; answers undefined when done, else why it did not work, in a few words. */
async function obtainFromDebian(cacheDir: string, target: string, env: NodeJS.ProcessEnv, log: PartLog): Promise<string | undefined> {
  const [apt, dpkg] = await Promise.all([onPath('apt-get', env), onPath('dpkg', env)]);
  if (!apt || !dpkg) return 'this system has no apt-get';
  log.info({ part: 'nats' }, 'obtaining nats-server from the Debian archive');
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(cacheDir, 'nats-'));
  try {
    const deb = await download(apt, work, env);
    await run(dpkg, ['-x', deb, join(work, 'unpacked')], { timeout: 60_000, env });
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

async function download(apt: string, work: string, env: NodeJS.ProcessEnv): Promise<string> {
  // As root, apt would warn that its sandbox account cannot write here.
  const base = ['-q', '-o', 'APT::Sandbox::User=root'];
  const options = { cwd: work, timeout: 120_000, env: { ...env, LC_ALL: 'C' } };
  try {
    await run(apt, [...base, 'download', PROGRAM], options);
  } catch {
    // No package lists, or old ones. Lists of our own need no root and leave the system as it is.
    const lists = [
      ...base,
      '-o',
      `Dir::State::Lists=${join(work, 'lists')}`,
      '-o',
      `Dir::Cache=${join(work, 'cache')}`,
      '-o',
      'Acquire::Languages=none',
    ];
    for (const folder of ['lists/partial', 'cache/archives/partial']) await mkdir(join(work, folder), { recursive: true });
    await run(apt, [...lists, 'update'], options);
    await run(apt, [...lists, 'download', PROGRAM], options);
  }
  const deb = (await readdir(work)).find((name) => name.endsWith('.deb'));
  if (!deb) throw new Error('apt-get downloaded nothing');
  return join(work, deb);
}

function lastLine(error: unknown): string {
  const { stderr, message, killed } = error as { stderr?: string; message: string; killed?: boolean };
  if (killed) return 'apt-get took too long';
  return (stderr?.trim() ? stderr : message).trim().split('\n').at(-1) ?? 'unknown';
}
