import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../harness/paths.ts';
import { type Step } from './read-recipe.ts';

/** The environment variables that every recipe asks its reader to set. */
export interface RecipeEnvironment {
  PARLEY_URL: string;
  PARLEY_API_KEY: string;
}

/** No program prints this by itself. */
const MARK = '\u001d';
const RUN_MS = 120_000;
const HOW = {
  js: { command: 'node', args: ['--input-type=module'], mark: `\nprocess.stdout.write('${MARK}');\n` },
  sh: { command: 'bash', args: ['-euo', 'pipefail'], mark: `\nprintf '${MARK}'\n` },
} as const;

/** Runs the steps of a page one after the other, in one module or shell and an empty folder; gives what each has printed. */
export async function runRecipe(steps: readonly Step[], environment: RecipeEnvironment): Promise<string[]> {
  const [language = 'js', ...others] = new Set(steps.map((step) => step.language));
  if (others.length > 0) throw new Error('a page that is run has one language');
  const { command, args, mark } = HOW[language];
  const folder = await mkdtemp(join(tmpdir(), 'parley-recipe-'));
  try {
    // The packages that a reader would install.
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
    const env = { PATH: process.env['PATH'], HOME: folder, ...environment };
    const running = spawn(command, args, { cwd: folder, env, timeout: RUN_MS, stdio: 'pipe' });
    running.stdin.end(steps.map(({ code }) => code + mark).join(''));
    const ended = new Promise<number | null>((resolve, reject) => running.once('error', reject).once('close', resolve));
    const [output, complaints, code] = await Promise.all([text(running.stdout), text(running.stderr), ended]);
    if (code !== 0) throw new Error(`the recipe ended with ${code}:\n${output.replaceAll(MARK, '\n')}\n${complaints}`);
    return output.split(MARK).slice(0, steps.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
