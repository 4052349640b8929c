import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@parley/kit/db/migrate';
import { partitionByMonth } from '@parley/kit/db/monthly-partitions';
import { transaction } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { createTestDatabase, type TestDatabase } from '@parley/kit/testing/database';
import { randomUUID } from 'node:crypto';
import { type UsageRecord } from '../src/domain/usage-record.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from '../src/store/database.ts';
import { ingestRecords } from '../src/store/ingest-records.ts';
import { deleteExpiredRows, dropExpiredMonths } from '../src/store/retention.ts';
import { USAGE_RECORD_TABLE } from '../src/store/usage-record-table.ts';
import { aggregateSketches } from '../src/sweep/sweeper.ts';

const log = createLogger({ service: 'usage', level: 'silent' });
const NOW = new Date('2026-03-10T12:30:00.000Z');
const WORKSPACE = randomUUID();
const NO_SAMPLE = { durationBucket: null, firstTokenBucket: null, code: '' };

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await migrate({ url: testDatabase.url, schema: SCHEMA, folder: MIGRATIONS, log });
  database = openDatabase(testDatabase.url, log);
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

function used(hoursAgo: number): UsageRecord {
  const occurredAt = new Date(NOW.getTime() - hoursAgo * 3_600_000);
  const counters = { successful: 1, errors: 0, rateLimited: 0, tokensIn: 1, tokensOut: 1, durationMs: 1, audioMs: 1 };
  return {
    eventId: randomUUID(),
    occurredAt,
    workspaceId: WORKSPACE,
    keyId: WORKSPACE,
    model: 'm',
    connectionId: 'c',
    ...NO_SAMPLE,
    ...counters,
  };
}

async function count(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]?.count ?? 0;
}
const counts = async () => [
  await count('usage_record'),
  await count('hourly_rollup'),
  await count('daily_rollup'),
  await count('connection_rollup'),
];

describe('sweep', () => {
  it('deletes records after 35 days, hourly rollups after 3, daily ones after 400 and those of connections after 32, and no younger rows', async () => {
    await ingestRecords({ database }, [used(0), used(71), used(74), used(34 * 24), used(36 * 24), used(399 * 24), used(402 * 24)]);
    expect(await counts()).toEqual([7, 7, 6, 7]);
    await expect(deleteExpiredRows({ database }, NOW)).resolves.toBe(3 + 5 + 1 + 4);
    expect(await counts()).toEqual([4, 2, 5, 3]);
    await expect(deleteExpiredRows({ database }, NOW)).resolves.toBe(0);
  });

  it('moves hours that no report needs to their days, and deletes sketches of days after 32', async () => {
    const turns = [used(0), used(25), used(50), used(51), used(31 * 24), used(40 * 24)].map((record) => ({
      ...record,
      durationBucket: 100,
    }));
    await ingestRecords({ database }, turns);
    await aggregateSketches({ database }, NOW);
    // Of a turn each: its workspace, key, model and connection.
    expect([await count('usage_sample'), await count('hourly_sketch'), await count('daily_sketch')]).toEqual([0, 4 * 2, 4 * 3]);
    await deleteExpiredRows({ database }, NOW);
    expect([await count('hourly_sketch'), await count('daily_sketch')]).toEqual([4 * 2, 4 * 2]);
    await database.pool.query('TRUNCATE hourly_sketch, daily_sketch');
    await database.pool.query('DELETE FROM usage_record WHERE event_id = ANY ($1)', [turns.map(({ eventId }) => eventId)]);
  });

  it('deletes more than one batch', async () => {
    await ingestRecords(
      { database },
      Array.from({ length: 12_000 }, () => used(40 * 24)),
    );
    await deleteExpiredRows({ database }, NOW);
    expect(await count('usage_record')).toBe(4);
  });

  it('allows replicas to delete and count concurrently', async () => {
    await ingestRecords(
      { database },
      Array.from({ length: 12_000 }, () => used(40 * 24)),
    );
    const fresh = Array.from({ length: 200 }, () => used(1));
    const work = [
      ...Array.from({ length: 4 }, () => deleteExpiredRows({ database }, NOW)),
      ...Array.from({ length: 4 }, () => ingestRecords({ database }, fresh)),
    ];
    await Promise.all(work);
    await deleteExpiredRows({ database }, NOW);
    expect(await count('usage_record')).toBe(204);
  });

  it('skips locked rows instead of waiting', async () => {
    const old = used(50 * 24);
    await ingestRecords({ database }, [old]);
    await transaction(database.pool, async (client) => {
      await client.query('SELECT 1 FROM usage_record WHERE event_id = $1 FOR UPDATE', [old.eventId]);
      await deleteExpiredRows({ database }, NOW);
      expect(await count('usage_record')).toBe(205);
    });
    await deleteExpiredRows({ database }, NOW);
    expect(await count('usage_record')).toBe(204);
  });

  it('drops months of records, and counts an event once on either side of a division', async () => {
    await database.pool.query('TRUNCATE usage_record, hourly_rollup');
    const [recent, old] = [used(1), used(60 * 24)];
    await ingestRecords({ database }, [recent, old]);
    await partitionByMonth(database.pool, USAGE_RECORD_TABLE, NOW);
    await expect(ingestRecords({ database }, [recent, old, used(0)])).resolves.toMatchObject({ fresh: 1 });
    await deleteExpiredRows({ database }, NOW);
    // The old one lies in a month.
    expect([await dropExpiredMonths(database.pool, NOW), await count('usage_record')]).toEqual([0, 3]);
    const later = new Date('2026-05-07T00:00:00.000Z');
    expect([await dropExpiredMonths(database.pool, later), await count('usage_record')]).toEqual([1, 0]);
    await expect(ingestRecords({ database }, [used(0)])).resolves.toMatchObject({ fresh: 1 });
    await deleteExpiredRows({ database }, later);
    expect(await count('usage_record')).toBe(0);
  });
});
