import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './paths.ts';

const run = promisify(execFile);

/** An earlier version of Parley, built with the packages of this checkout. */
export interface EarlierVersion {
  commit: string;
  /** What its `npm start` runs. */
  startScript: string;
  dispose(): Promise<void>;
}

/**
 * The commit of the version before this one: the newest release, or, while there is none, where this branch left main, or the commit before on main
 * itself. Undefined outside of a repository with a history.
 */
export function findEarlierCommit(): string | undefined {
  const head = git('rev-parse', 'HEAD');
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  const left = ['origin/main', 'main'].map((ref) => git('merge-base', 'HEAD', ref)).find((base) => base !== undefined && base !== head);
  return (release && git('rev-parse', `${release}^{commit}`)) ?? left ?? git('rev-parse', '--verify', 'HEAD^');
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Checks a commit out beside this one and builds what `npm start` runs. */
export async function buildVersion(commit: string): Promise<EarlierVersion> {
  const root = await mkdtemp(join(tmpdir(), 'parley-earlier-'));
  const dispose = () => rm(root, { recursive: true, force: true });
  try {
    await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, root], { cwd: ROOT });
    await linkPackages(root);
    const bin = (name: string) => join(root, 'node_modules', '.bin', name);
    await run(process.execPath, ['scripts/generate.mjs'], { cwd: root });
    // What it is was checked when it was made.
    await run(bin('tsc'), ['-b', 'tsconfig.build.json', '--noCheck'], { cwd: root });
    await run(process.execPath, ['scripts/bundle.mjs'], { cwd: root });
    return { commit, startScript: join(root, 'deploy', 'bin', 'start.mjs'), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Its own packages are those of the workspace there, all others those of this checkout. */
async function linkPackages(root: string): Promise<void> {
  const services = (await readdir(join(ROOT, 'services'))).map((name) => join('services', name));
  for (const folder of ['.', 'edge', ...services]) {
    const [from, to] = [join(ROOT, folder, 'node_modules'), join(root, folder, 'node_modules')];
    if (!existsSync(from)) continue;
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) {
      if (name === '@parley') await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
      else await symlink(join(from, name), join(to, name));
    }
  }
}
