import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../local/embedded/debian-archive.ts';
import { downloadDebianPrograms } from '../local/embedded/download-debian-programs.ts';
import { type BasicLogger } from '../local/supervisor/running-process.ts';
import { StartError } from '../local/supervisor/start-error.ts';

const run = promisify(execFile);
const PROGRAMS = ['prometheus', 'promtool'] as const;

/** Where to look and where to keep what was obtained. */
export interface FindPrometheusOptions {
  readonly cacheDir: string;
  /** Only PATH and the proxy variables matter. @default the process's own */
  readonly env?: NodeJS.ProcessEnv;
  readonly log: BasicLogger;
}

/** Paths of the programs. */
export type PrometheusPrograms = Readonly<Record<(typeof PROGRAMS)[number], string>>;

/** A Prometheus with its promtool that runs here: on PATH, in the cache, else obtained from Debian's archive and not installed. @throws StartError */
export async function findPrometheus({ cacheDir, env = process.env, log }: FindPrometheusOptions): Promise<PrometheusPrograms> {
  const installed = await findOnPath('prometheus', env);
  for (const folder of [...(installed ? [dirname(installed)] : []), cacheDir]) {
    const found = inFolder(folder);
    if (await answers(found)) return found;
  }
  const reason = await downloadDebianPrograms({ packageName: 'prometheus', programs: PROGRAMS, cacheDir, env, log });
  const obtained = inFolder(cacheDir);
  if (reason === undefined && (await answers(obtained))) return obtained;
  const why = reason ?? 'the one obtained does not run here';
  throw new StartError(`no prometheus and promtool on PATH and none could be obtained (${why}); see https://prometheus.io/download/`);
}

function inFolder(folder: string): PrometheusPrograms {
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
}

async function answers(programs: PrometheusPrograms): Promise<boolean> {
  const calls = PROGRAMS.map((name) => run(programs[name], ['--version'], { timeout: 10_000 }));
  return Promise.all(calls).then(
    () => true,
    () => false,
  );
}
