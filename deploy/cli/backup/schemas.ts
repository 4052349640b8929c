import { migrate } from '@parley/kit/db/migrate';
import { createLogger } from '@parley/kit/log/logger';
import { fileURLToPath } from 'node:url';

/** The schemas of PostgreSQL and the folders of their migrations, in the repository. */
const FOLDERS: Readonly<Record<string, string>> = {
  conversation: 'services/conversation',
  routing: 'services/chat-routing',
  usage: 'services/usage',
  asset: 'services/asset',
  audio: 'services/audio',
  actions: 'services/actions',
  edge: 'edge',
};

/** Names of the schemas. */
export const SCHEMAS: readonly string[] = Object.keys(FOLDERS);

/** Holds the applied migrations of its schema. */
export const MIGRATIONS_TABLE = '_prisma_migrations';

/** Creates every schema with the tables of this version. @throws MigrationError */
export async function createSchemas(url: string): Promise<void> {
  const log = createLogger({ service: 'restore', level: 'silent' });
  for (const [schema, path] of Object.entries(FOLDERS)) {
    // From the compiled file.
    const folder = fileURLToPath(new URL(`../../../../${path}/prisma/migrations/`, import.meta.url));
    await migrate({ url, schema, folder, log });
  }
}
