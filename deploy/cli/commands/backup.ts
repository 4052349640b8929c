import { Command } from 'commander';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { copyFolder, copyFileIfExists } from '../backup/copy-folder.ts';
import { dumpTables } from '../backup/dump-tables.ts';
import { writeManifest } from '../backup/manifest.ts';
import { type CliContext } from '../cli-context.ts';
import { CliError } from '../cli-error.ts';
import { resolveDataDir } from '../gateway/locate.ts';

const runFile = z.object({ database_url: z.string(), blob_store: z.string() });

/** `parley backup`: of the Parley that runs from the data folder. */
export function backupCommand(context: CliContext): Command {
  return new Command('backup')
    .description('Back up the running Parley of the data folder: all tables as of one moment, then the files')
    .argument('<folder>', 'a new or empty folder')
    .action(async (asked: string) => {
      const { environment } = context;
      const dataDir = resolveDataDir(environment);
      const { database_url, blob_store } = await readRunFile(dataDir);
      const folder = resolve(environment.cwd, asked);
      await makeEmptyFolder(folder);
      const dumped = await dumpTables(database_url, folder);
      // After the tables: a file without a row is deleted later, a row without its file cannot be downloaded.
      const has_blobs = !blob_store.startsWith('s3:');
      const files = has_blobs ? await copyFolder(blob_store, join(folder, 'blobs')) : 0;
      await copyFolder(join(dataDir, 'sandbox'), join(folder, 'sandbox'));
      await copyFileIfExists(join(dataDir, 'example-actions'), join(folder, 'example-actions'));
      await writeManifest(folder, { format: 1, created_at: new Date(environment.now()).toISOString(), has_blobs, ...dumped });
      const rows = dumped.tables.reduce((sum, table) => sum + table.rows, 0);
      const keys = join(dataDir, 'secrets', 'secret-keys');
      context.print({ folder, tables: dumped.tables.length, rows, files }, () =>
        [
          `Backed up ${dumped.tables.length} tables (${rows} rows) and ${files} files to ${folder}.`,
          `The keys that encrypt the credentials of connections are not in it: keep a copy of ${keys} (or of PARLEY_SECRET_KEYS) elsewhere.`,
          ...(has_blobs ? [] : [`Files are in ${blob_store}, which has to be backed up with its own tools.`]),
        ].join('\n'),
      );
    });
}

async function readRunFile(dataDir: string): Promise<z.infer<typeof runFile>> {
  const text = await readFile(join(dataDir, 'run.json'), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new CliError(`no Parley runs in ${dataDir}; without one, copy the whole folder with its owners and modes`, {
      code: 'NOT_RUNNING',
    });
  return runFile.parse(JSON.parse(text));
}

async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new CliError(`${folder} is not empty`, { code: 'NOT_EMPTY' });
  await mkdir(join(folder, 'tables'), { mode: 0o700 });
}
