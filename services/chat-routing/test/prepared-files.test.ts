import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@parley/kit/db/migrate';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type InfraEndpoints, openInfra } from '@parley/kit/testing/infra';
import { type PreparedFile } from '../src/providers/upstream-turn.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from '../src/store/database.ts';
import { insertFile, readPrepared } from '../src/store/files.ts';

const PDF = Buffer.from('%PDF-1.7');

describe('what was prepared of a file', () => {
  let infra: InfraEndpoints;
  let database: Database;
  const connectionId = uuidv7();
  const workspaceId = uuidv7();

  beforeAll(async () => {
    const log = createLogger({ service: 'prepared-files-test', level: 'silent' });
    infra = await openInfra(SCHEMA, log);
    await migrate({ url: infra.databaseUrl, schema: SCHEMA, folder: MIGRATIONS, log });
    database = openDatabase(infra.databaseUrl, log);
    await infra.sql.query(
      `INSERT INTO connections (id, workspace_id, label, provider, base_url, account, models) VALUES ($1, $2, 'a', 'anthropic', '', '', '{}')`,
      [connectionId, workspaceId],
    );
  });
  afterAll(async () => {
    await database.close();
    await infra.close();
  });

  async function kept(prepared: PreparedFile) {
    const place = { workspaceId, connectionId, conversationId: uuidv7(), projectId: null, assetId: uuidv7() };
    const file = { fileName: 'a', mimeType: 'application/pdf', sizeBytes: 8, status: 'ready' as const, upstreamRef: '' };
    const { id } = await insertFile(database, { id: `file_${uuidv7()}`, ...place, ...file, prepared });
    return (maxText: number) => readPrepared(database, id, maxText);
  }

  it('is its text, or the file itself where none of the text is asked for', async () => {
    const read = await kept({ text: 'the words', omitted: 'page 2', original: PDF });
    await expect(read(3)).resolves.toEqual({ text: 'the', omitted: 'page 2' });
    await expect(read(0)).resolves.toEqual({ text: '', omitted: 'page 2', original: PDF });
  });

  it('is the file itself where it has no text', async () => {
    const read = await kept({ text: '', omitted: '', original: PDF });
    await expect(read(3)).resolves.toEqual({ text: '', omitted: '', original: PDF });
  });
});
