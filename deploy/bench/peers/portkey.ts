import { execFile } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment } from '../process/child.ts';
import { NotAvailable } from '../targets/target.ts';

/** The version that is measured. */
export const PORTKEY_VERSION = '1.15.2';

const MANIFEST = {
  name: 'parley-bench-portkey',
  private: true,
  dependencies: { '@portkey-ai/gateway': PORTKEY_VERSION },
  // The versions of its own lockfile: what a fresh install picks instead breaks its streaming on Node 20.
  overrides: { '@hono/node-server': '1.13.5', hono: '4.9.7' },
};

/** Installs Portkey into the cache once and returns its entry file; throws NotAvailable when npm cannot. */
export async function obtainPortkey(cacheDir: string): Promise<string> {
  const folder = join(cacheDir, 'portkey');
  const entry = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const manifest = join(folder, 'package.json');
  const wanted = `${JSON.stringify(MANIFEST, undefined, 2)}\n`;
  const present = await readFile(manifest, 'utf8').catch(() => '');
  if (present === wanted && (await exists(entry))) return entry;
  await mkdir(folder, { recursive: true });
  await writeFile(manifest, wanted);
  try {
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await promisify(execFile)('npm', args, { cwd: folder, env: cleanEnvironment(), timeout: 180_000 });
  } catch (error) {
    throw new NotAvailable(`npm could not install Portkey ${PORTKEY_VERSION}: ${lastLine(error)}`, { cause: error });
  }
  if (!(await exists(entry))) throw new NotAvailable(`Portkey ${PORTKEY_VERSION} has no build/start-server.js`);
  return entry;
}

function lastLine(error: unknown): string {
  return (
    String(error instanceof Error ? error.message : error)
      .trim()
      .split('\n')
      .at(-1) ?? ''
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
