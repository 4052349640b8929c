import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One migration as Prisma lays it out: `<folder>/NNNN_name/migration.sql`. */
export interface Migration {
  /** The folder's name, `NNNN_name`. */
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, as Prisma computes it. */
  checksum: string;
}

/** Reads the migrations of a folder, in the order of their names. @throws when a migration's folder has no `migration.sql`. */
export async function readMigrations(folder: string | URL): Promise<Migration[]> {
  const root = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(root, name)));
}

async function readMigration(root: string, name: string): Promise<Migration> {
  const file = await readFile(join(root, name, 'migration.sql'));
  return { name, sql: file.toString('utf8'), checksum: createHash('sha256').update(file).digest('hex') };
}
