import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GroupCommit } from '@parley/kit/db/group-commit';
import { openPool } from '@parley/kit/db/pool';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type TestDatabase, createTestDatabase } from '@parley/kit/testing/database';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import type pg from 'pg';

interface Item {
  id: string;
  size: number;
}

const INSERT = 'INSERT INTO item SELECT * FROM unnest($1::uuid[], $2::int[]) ON CONFLICT DO NOTHING';

describe('GroupCommit on PostgreSQL', () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool({ url: database.url, schema: 'public', log, applicationName: 'test' });
    await pool.query('CREATE TABLE item (id uuid PRIMARY KEY, size int CHECK (size > 0))');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  function writer(target: pg.Pool): (items: readonly Item[]) => Promise<void> {
    return async (items) => {
      await target.query({ name: 'item', text: INSERT, values: [items.map(({ id }) => id), items.map(({ size }) => size)] });
    };
  }

  async function kept(ids: readonly string[]): Promise<number> {
    const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM item WHERE id = ANY ($1::uuid[])', [ids]);
    return rows[0]?.n ?? 0;
  }

  it('keeps every good row and fails each bad one alone', async () => {
    const commit = new GroupCommit<Item>({ write: writer(pool), maxBatch: 100, concurrency: 2 });
    const items = Array.from({ length: 1_000 }, (_, n) => ({ id: uuidv7(), size: n % 250 === 7 ? -1 : 1 }));
    const results = await Promise.allSettled(items.map((item) => commit.add(item)));
    const failed = results.flatMap((result, n) => (result.status === 'rejected' ? [n] : []));
    expect(failed).toEqual([7, 257, 507, 757]);
    expect(results[7]).toMatchObject({ reason: { code: '23514' } });
    await expect(kept(items.map(({ id }) => id))).resolves.toBe(996);
  });

  it('fails at once while the database is down, continues when it is back, and a row may be added again', async () => {
    const url = new URL(database.url);
    const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const own = openPool({ url: url.href, schema: 'public', log, applicationName: 'test' });
    const commit = new GroupCommit<Item>({ write: writer(own) });
    const items = Array.from({ length: 50 }, () => ({ id: uuidv7(), size: 1 }));
    await Promise.all(items.slice(0, 10).map((item) => commit.add(item)));
    proxy.cut();
    const results = await Promise.allSettled(items.map((item) => commit.add(item)));
    for (const result of results) expect(result).toMatchObject({ reason: { condition: 'SERVICE_UNAVAILABLE' } });
    proxy.resume();
    await waitFor(() => Promise.all(items.map((item) => commit.add(item))));
    await expect(kept(items.map(({ id }) => id))).resolves.toBe(50);
    await commit.drain();
    await own.end();
    await proxy.close();
  });
});
