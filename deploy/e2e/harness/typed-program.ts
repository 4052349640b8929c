import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './paths.ts';

const run = promisify(execFile);
const OPTIONS = {
  compilerOptions: { target: 'es2023', module: 'nodenext', strict: true, skipLibCheck: true, types: ['node'], outDir: 'out' },
  include: ['*.ts'],
};

/** A folder for a program that is written against the types of an API description. */
export class TypedProgram implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes `schema.ts` of a description, as `npx openapi-typescript` does it. */
  static async from(description: string): Promise<TypedProgram> {
    const program = new TypedProgram(await mkdtemp(join(tmpdir(), 'parley-client-')));
    await symlink(join(ROOT, 'node_modules'), join(program.#folder, 'node_modules'));
    await program.write('package.json', JSON.stringify({ type: 'module' }));
    await program.write('tsconfig.json', JSON.stringify(OPTIONS));
    await program.write('openapi.json', description);
    await program.#node('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts');
    return program;
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.#folder, name), text);
  }

  async read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), 'utf8');
  }

  /** What the compiler complains about; nothing when all is well. */
  async compile(): Promise<string> {
    try {
      await this.#node('node_modules/typescript/bin/tsc');
      return '';
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  /** What a compiled file prints. */
  async run(name: string, env: Record<string, string>): Promise<string> {
    const { stdout } = await run(process.execPath, [join('out', name)], { cwd: this.#folder, env: { ...process.env, ...env } });
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #node(script: string, ...args: string[]): Promise<void> {
    await run(process.execPath, [script, ...args], { cwd: this.#folder });
  }
}
