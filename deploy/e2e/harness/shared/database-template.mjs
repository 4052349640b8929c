import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../../../../', import.meta.url);

/** Where the migrations of each schema are. A schema that is missing here is migrated when a composition starts. */
const FOLDERS = {
  actions: 'services/actions',
  asset: 'services/asset',
  audio: 'services/audio',
  conversation: 'services/conversation',
  edge: 'edge',
  routing: 'services/chat-routing',
  usage: 'services/usage',
};

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A stopped PostgreSQL cluster with every schema and no row: a copy of it spares a composition `initdb` and the migrations. */
export class DatabaseTemplate {
  #making;

  /** The folder to copy as `postgres` into a data folder; the first call makes it. */
  folder() {
    this.#making ??= make();
    return this.#making;
  }

  async close() {
    const folder = await this.#making?.catch(() => undefined);
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

async function make() {
  // Jest loads no TypeScript here: this is the build.
  const { startPostgres } = await import(new URL('deploy/dist/local/embedded/postgres.js', ROOT));
  const { migrate } = await import(new URL('services/kit/dist/db/migrate.js', ROOT));
  const folder = await mkdtemp(join(tmpdir(), 'parley-template-'));
  try {
    const server = await startPostgres({ dataDir: folder, durable: false, log });
    try {
      for (const [schema, path] of Object.entries(FOLDERS))
        await migrate({ url: server.url, schema, folder: new URL(`${path}/prisma/migrations/`, ROOT), log });
    } finally {
      await server.stop();
    }
    // Only a power loss takes what is not synced, and no test has one.
    await appendFile(join(folder, 'cluster', 'postgresql.conf'), '\nfsync = off\nfull_page_writes = off\n');
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
