import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';

const FILE = 'backup.json';

const table = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()), rows: z.int() });
const manifest = z.object({
  format: z.literal(1),
  created_at: z.string(),
  /** Applied migrations of each schema, in order. */
  migrations: z.record(z.string(), z.array(z.string())),
  tables: z.array(table),
  /** False: the blob store is a bucket, which has to be copied with its own tools. */
  has_blobs: z.boolean(),
});

/** A table of a backup; `columns` in the order of its file. */
export type BackupTable = z.infer<typeof table>;

/** Describes a backup. It is written last, so that a folder without it is an incomplete backup. */
export type Manifest = z.infer<typeof manifest>;

/** Completes a backup. */
export async function writeManifest(folder: string, of: Manifest): Promise<void> {
  await writeFile(join(folder, FILE), `${JSON.stringify(of, undefined, 2)}\n`, { mode: 0o600 });
}

/** Reads the manifest of a backup. @throws CliError for a folder that is not a complete backup of a known format */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return manifest.parse(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
  } catch (cause) {
    throw new CliError(`${folder} is not a complete backup of this format (${FILE} is missing or not valid)`, {
      code: 'BAD_BACKUP',
      cause,
    });
  }
}

/** Returns the path of the file with the rows of a table, in the text format of COPY, compressed. */
export function toTableFilePath(folder: string, { schema, name }: Pick<BackupTable, 'schema' | 'name'>): string {
  return join(folder, 'tables', `${schema}.${name}.copy.gz`);
}
