import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';

/**
 * Returns the text of a file with mode 0600. On first use, creates it durably and atomically with the result of `make` (default 32 random
 * bytes, base64url).
 */
export async function readOrCreateSecret(file: string, make: () => string = () => randomBytes(32).toString('base64url')): Promise<string> {
  const existing = await readFile(file, 'utf8').catch(undefinedIfAbsent);
  if (existing) return existing.trim();
  const fresh = `${file}.${randomUUID()}`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(`${make()}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // The first process that links wins; every process then reads the same secret.
  await link(fresh, file).catch(() => undefined);
  await unlink(fresh);
  return (await readFile(file, 'utf8')).trim();
}

function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
