import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MigrationError } from '@parley/kit/db/list-pending-migrations';
import { migrate } from '@parley/kit/db/migrate';
import { createLogger } from '@parley/kit/log/logger';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExampleSchema, openExampleSchema } from './example-schema.ts';

describe('migrate', () => {
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  let example: ExampleSchema;

  beforeEach(async () => {
    lines.length = 0;
    example = await openExampleSchema({
      '0001_init': 'CREATE TABLE item (id int PRIMARY KEY);',
      '0002_name': "ALTER TABLE item ADD name text; INSERT INTO item VALUES (1, 'x');",
    });
    await writeFile(join(example.folder, 'migration_lock.toml'), 'provider = "postgresql"');
  });
  afterEach(() => example.close());

  const run = (options: { url?: string; schema?: string; startMs?: number } = {}) =>
    migrate({ url: example.url, schema: 'example', folder: example.folder, log, ...options });
  const journal = async () =>
    (await example.client.query<Record<string, unknown>>('SELECT * FROM example._prisma_migrations ORDER BY migration_name')).rows;

  it('creates the schema, applies what is missing in order and keeps Prisma’s journal', async () => {
    await expect(run()).resolves.toEqual(['0001_init', '0002_name']);
    await expect(run()).resolves.toEqual([]);
    await example.write('0003_more', 'ALTER TABLE item ADD more text');
    await expect(run()).resolves.toEqual(['0003_more']);
    await expect(example.client.query('SELECT * FROM example.item')).resolves.toMatchObject({ rows: [{ id: 1, name: 'x', more: null }] });
    const rows = await journal();
    expect(rows).toHaveLength(3);
    expect(rows[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: 'b866668f9ebd78cbe07ba5f5bb3bd8c7d95b06694f20aede223891ad772bf7c4',
      finished_at: expect.any(Date),
      migration_name: '0001_init',
      logs: null,
      rolled_back_at: null,
      started_at: expect.any(Date),
      applied_steps_count: 1,
    });
  });

  it('is done once when many processes start at once', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => run()));
    expect(results.flat()).toEqual(['0001_init', '0002_name']);
  });

  it('keeps the schemas of one database apart', async () => {
    await Promise.all([run(), run({ schema: 'other' })]);
    await expect(example.client.query('SELECT * FROM other.item')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('refuses a file that was changed after it had been applied', async () => {
    await run();
    await example.write('0001_init', 'CREATE TABLE item (id bigint PRIMARY KEY);');
    await expect(run()).rejects.toThrow(new MigrationError('migration 0001_init of schema example was changed after it had been applied'));
  });

  it('applies nothing of a migration that fails', async () => {
    await example.write('0003_bad', 'CREATE TABLE half (id int); SELECT nonsense;');
    await expect(run()).rejects.toThrow('migration 0003_bad of schema example failed: column "nonsense" does not exist');
    expect((await journal()).map((row) => row.migration_name)).toEqual(['0001_init', '0002_name']);
    await expect(example.client.query(`SELECT to_regclass('example.half') AS half`)).resolves.toMatchObject({ rows: [{ half: null }] });
  });

  it('refuses to go on after a migration that another tool left unfinished', async () => {
    await run();
    await example.client.query(`UPDATE example._prisma_migrations SET finished_at = NULL WHERE migration_name = '0002_name'`);
    await expect(run()).rejects.toThrow('0002_name of schema example was started and never finished');
  });

  it('starts with the schema of a newer release and logs it', async () => {
    await run();
    await example.remove('0002_name');
    await expect(run()).resolves.toEqual([]);
    expect(lines.at(-1)).toContain('"unknown":["0002_name"]');
  });

  it('waits for a database that is still starting', async () => {
    const { hostname: host, port } = new URL(example.url);
    const proxy = await startFaultProxy({ host, port: Number(port) });
    proxy.cut();
    const url = new URL(example.url);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    await expect(run({ url: url.href, startMs: 0 })).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    const waiting = run({ url: url.href });
    proxy.resume();
    await expect(waiting).resolves.toHaveLength(2);
    await proxy.close();
  });

  it('does not wait for a database that does not exist', async () => {
    await expect(run({ url: `${example.url}_not` })).rejects.toMatchObject({ code: '3D000' });
  });
});
