import { createLogger } from '@parley/kit/log/logger';
import { Command } from 'commander';
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startPostgres } from '../../local/embedded/postgres.ts';
import { type DataDir, openDataDir } from '../../local/supervisor/data-dir.ts';
import { copyFolder, copyFileIfExists } from '../backup/copy-folder.ts';
import { loadTables } from '../backup/load-tables.ts';
import { type Manifest, readManifest } from '../backup/manifest.ts';
import { type CliContext } from '../cli-context.ts';
import { CliError } from '../cli-error.ts';
import { resolveDataDir } from '../gateway/locate.ts';

/** `parley restore`: into a data folder that has no database yet. */
export function restoreCommand(context: CliContext): Command {
  return new Command('restore')
    .description('Restore a backup into the data folder, which must not have a database; with DATABASE_URL, into that empty database')
    .argument('<folder>', 'the backup')
    .option('--secret-keys <file>', 'the keys that encrypt the credentials of connections (default: PARLEY_SECRET_KEYS of the next start)')
    .action(async (asked: string, { secretKeys }: { secretKeys?: string }) => {
      const { environment } = context;
      const folder = resolve(environment.cwd, asked);
      const manifest = await readManifest(folder);
      const target = await openDataDir(resolveDataDir(environment));
      try {
        await restoreInto(target, folder, manifest, environment.env['DATABASE_URL']);
        if (secretKeys !== undefined) await copyFile(resolve(environment.cwd, secretKeys), join(target.secrets, 'secret-keys'));
      } finally {
        await target.release();
      }
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      context.print({ data_dir: target.root, tables: manifest.tables.length, rows }, () =>
        [
          `Restored ${manifest.tables.length} tables (${rows} rows) of ${manifest.created_at} into ${target.root}. Start it with npm start.`,
          ...(manifest.has_blobs ? [] : ['Files are in the bucket of PARLEY_BLOB_STORE, and not part of the backup.']),
        ].join('\n'),
      );
    });
}

async function restoreInto(target: DataDir, folder: string, manifest: Manifest, databaseUrl: string | undefined): Promise<void> {
  if ((await readdir(target.postgres)).length > 0)
    throw new CliError(`${target.postgres} has a database already; restore into another folder (PARLEY_DATA_DIR)`, { code: 'NOT_EMPTY' });
  if (databaseUrl) await loadTables(databaseUrl, folder, manifest);
  else await loadEmbedded(target, folder, manifest);
  await copyFolder(join(folder, 'blobs'), target.blobs);
  await copyFolder(join(folder, 'sandbox'), join(target.root, 'sandbox'));
  await copyFileIfExists(join(folder, 'example-actions'), join(target.root, 'example-actions'));
  // The keys of the backup go on: the next start creates none.
  await writeFile(join(target.secrets, 'api-key-shown'), '', { mode: 0o600 });
}

async function loadEmbedded(target: DataDir, folder: string, manifest: Manifest): Promise<void> {
  const log = createLogger({ service: 'restore', level: 'silent' });
  const server = await startPostgres({ dataDir: target.postgres, log });
  try {
    await loadTables(server.url, folder, manifest);
  } catch (error) {
    // It was not there before: the next attempt starts anew.
    await server.stop();
    await rm(target.postgres, { recursive: true });
    throw error;
  }
  await server.stop();
}
