import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../harness/paths.ts';
import { type Step } from './read-recipe.ts';

/** The environment variables that every recipe asks its reader to set. */
export interface RecipeEnvironment {
  PARLEY_URL: string;
  PARLEY_API_KEY: string;
  /** For commands of the operator. */
  PARLEY_OPERATOR_KEY?: string;
}

/** Contents of the folder that a page runs in. */
export interface RecipeFolder {
  /** The only packages that the page can import. @default all that are installed */
  packages?: Packages;
  /** Symbolic links, by name, to what a reader has there. */
  links?: Readonly<Record<string, string>>;
}

/** No program prints this by itself. */
const MARK = '\u001d';
const RUN_MS = 120_000;
const HOW = {
  js: { command: 'node', args: ['--input-type=module'], mark: `\nprocess.stdout.write('${MARK}');\n` },
  sh: { command: 'bash', args: ['-euo', 'pipefail'], mark: `\nprintf '${MARK}'\n` },
} as const;

/** Names under which a page imports packages, and the packages of ours that it gets for them. */
export type Packages = Readonly<Record<string, string>>;

/**
 * Runs the steps of a page one after the other, those of each language in one module or shell, in a folder of their own; gives what each has
 * printed.
 */
export async function runRecipe(
  steps: readonly Step[],
  environment: RecipeEnvironment,
  { packages, links = {} }: RecipeFolder = {},
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-recipe-'));
  try {
    await install(folder, packages);
    for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name));
    const outputs = new Map<Step, string>();
    for (const language of new Set(steps.map((step) => step.language))) {
      const own = steps.filter((step) => step.language === language);
      for (const [at, output] of (await runSteps(language, own, folder, environment)).entries()) outputs.set(own[at] as Step, output);
    }
    return steps.map((step) => outputs.get(step) ?? '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runSteps(
  language: Step['language'],
  steps: readonly Step[],
  folder: string,
  environment: RecipeEnvironment,
): Promise<string[]> {
  const { command, args, mark } = HOW[language];
  const env = { PATH: process.env['PATH'], HOME: folder, ...environment };
  const running = spawn(command, args, { cwd: folder, env, timeout: RUN_MS, stdio: 'pipe' });
  running.stdin.end(steps.map(({ code }) => code + mark).join(''));
  const ended = new Promise<number | null>((resolve, reject) => running.once('error', reject).once('close', resolve));
  const [output, complaints, code] = await Promise.all([text(running.stdout), text(running.stderr), ended]);
  if (code !== 0) throw new Error(`the recipe ended with ${code}:\n${output.replaceAll(MARK, '\n')}\n${complaints}`);
  return output.split(MARK).slice(0, steps.length);
}

/** The packages that a reader would install. */
async function install(folder: string, packages: Packages | undefined): Promise<void> {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  if (!packages) return symlink(from, to, 'dir');
  for (const [name, installed] of Object.entries(packages)) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    await symlink(join(from, installed), join(to, name), 'dir');
  }
}
