import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@parley/kit/db/migrate';
import { openPool, transaction } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { createTestDatabase, type TestDatabase } from '@parley/kit/testing/database';
import type pg from 'pg';
import { type UsageRecord } from '../src/domain/usage-record.ts';
import { ingest } from '../src/store/ingest.ts';
import { deleteExpired } from '../src/store/retention.ts';
import { MIGRATIONS, SCHEMA } from '../src/store/schema.ts';

const log = createLogger({ service: 'usage', level: 'silent' });
const NOW = new Date('2026-03-10T12:30:00.000Z');
const WORKSPACE = randomUUID();

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate({ url: database.url, schema: SCHEMA, folder: MIGRATIONS, log });
  pool = openPool({ url: database.url, schema: SCHEMA, log, applicationName: 'usage-test' });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

function used(hoursAgo: number): UsageRecord {
  const occurredAt = new Date(NOW.getTime() - hoursAgo * 3_600_000);
  const counters = { successful: 1, errors: 0, rateLimited: 0, tokensIn: 1, tokensOut: 1, durationMs: 1 };
  return { eventId: randomUUID(), occurredAt, workspaceId: WORKSPACE, keyId: WORKSPACE, model: 'm', ...counters };
}

async function count(table: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]?.count ?? 0;
}
const counts = async () => [await count('usage_record'), await count('hourly_rollup'), await count('daily_rollup')];

describe('sweep', () => {
  it('deletes records after 35 days, hourly rollups after 3 and daily ones after 400, and no younger rows', async () => {
    await ingest(pool, [used(0), used(71), used(74), used(34 * 24), used(36 * 24), used(399 * 24), used(402 * 24)]);
    expect(await counts()).toEqual([7, 7, 6]);
    await expect(deleteExpired(pool, NOW)).resolves.toBe(3 + 5 + 1);
    expect(await counts()).toEqual([4, 2, 5]);
    await expect(deleteExpired(pool, NOW)).resolves.toBe(0);
  });

  it('deletes more than one batch', async () => {
    await ingest(
      pool,
      Array.from({ length: 12_000 }, () => used(40 * 24)),
    );
    await deleteExpired(pool, NOW);
    expect(await count('usage_record')).toBe(4);
  });

  it('allows replicas to delete and count concurrently', async () => {
    await ingest(
      pool,
      Array.from({ length: 12_000 }, () => used(40 * 24)),
    );
    const fresh = Array.from({ length: 200 }, () => used(1));
    const work = [...Array.from({ length: 4 }, () => deleteExpired(pool, NOW)), ...Array.from({ length: 4 }, () => ingest(pool, fresh))];
    await Promise.all(work);
    await deleteExpired(pool, NOW);
    expect(await count('usage_record')).toBe(204);
  });

  it('skips locked rows instead of waiting', async () => {
    const old = used(50 * 24);
    await ingest(pool, [old]);
    await transaction(pool, async (client) => {
      await client.query('SELECT 1 FROM usage_record WHERE event_id = $1 FOR UPDATE', [old.eventId]);
      await deleteExpired(pool, NOW);
      expect(await count('usage_record')).toBe(205);
    });
    await deleteExpired(pool, NOW);
    expect(await count('usage_record')).toBe(204);
  });
});
