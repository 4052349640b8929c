import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath, isExecutable } from '../process/find-on-path.ts';
import { NotAvailable } from '../targets/target.ts';

const run = promisify(execFile);
const FOLDERS = ['usr/sbin', 'usr/bin', 'sbin', 'bin'];

/** A program, and what its environment needs so that it finds its libraries. */
export interface Binary {
  path: string;
  env: Record<string, string>;
}

/**
 * Finds a program on PATH, in the cache, or in the Debian package of the same name, which is downloaded and unpacked into the cache
 * and never installed. Throws NotAvailable with the reason.
 */
export async function obtainBinary(name: string, cacheDir: string): Promise<Binary> {
  const onPath = await findOnPath(name);
  if (onPath !== undefined) return { path: onPath, env: {} };
  const root = join(cacheDir, 'debian', name);
  const cached = await unpackedBinary(root, name);
  if (cached && (await missingLibraries(cached)).length === 0) return cached;
  if ((await findOnPath('apt-get')) === undefined || (await findOnPath('dpkg')) === undefined) {
    throw new NotAvailable(`${name} is not on PATH, and there is no apt-get and dpkg to unpack it with`);
  }
  await mkdir(root, { recursive: true });
  await unpack([name], root);
  return withLibraries(name, root);
}

async function withLibraries(name: string, root: string): Promise<Binary> {
  let binary = await unpackedBinary(root, name);
  if (binary && (await missingLibraries(binary)).length > 0) {
    await unpack(await libraryPackages(name), root);
    binary = await unpackedBinary(root, name);
  }
  if (!binary) throw new NotAvailable(`the Debian package ${name} holds no program ${name}`);
  const missing = await missingLibraries(binary);
  if (missing.length > 0) throw new NotAvailable(`${name} misses ${missing.join(', ')}`);
  return binary;
}

async function unpackedBinary(root: string, name: string): Promise<Binary | undefined> {
  for (const folder of FOLDERS) {
    const path = join(root, folder, name);
    if (!(await isExecutable(path))) continue;
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const folders = new Set(entries.filter((entry) => /\.so(\.|$)/.test(entry.name)).map((entry) => entry.parentPath));
    return { path, env: folders.size > 0 ? { LD_LIBRARY_PATH: [...folders].join(':') } : {} };
  }
  return undefined;
}

async function missingLibraries(binary: Binary): Promise<string[]> {
  const { stdout } = await run('ldd', [binary.path], { env: { ...process.env, ...binary.env } });
  return [...stdout.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
}

async function libraryPackages(name: string): Promise<string[]> {
  const { stdout } = await run('apt-cache', ['depends', '--important', name]);
  return [...stdout.matchAll(/^\s*Depends: (lib\S+)/gm)].map((match) => match[1] ?? '');
}

async function unpack(packages: readonly string[], root: string): Promise<void> {
  const folder = await mkdtemp(join(root, 'download-'));
  try {
    await run('apt-get', ['download', ...packages], { cwd: folder, timeout: 120_000 });
    for (const file of await readdir(folder)) await run('dpkg', ['-x', join(folder, file), root]);
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const line =
      reason
        .trim()
        .split('\n')
        .find((text) => text.startsWith('E:')) ?? reason.trim().split('\n').at(-1);
    throw new NotAvailable(`could not be had from Debian: ${line}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
