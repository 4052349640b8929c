import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@parley/kit/db/migrate';
import { openPool } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { createTestDatabase, type TestDatabase } from '@parley/kit/testing/database';
import { readSchema } from '@parley/kit/testing/read-schema';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../src/generated/prisma/client.ts';
import { MIGRATIONS, SCHEMA } from '../src/store/database.ts';

const log = createLogger({ service: 'usage', level: 'silent' });
const ID = '01900000-0000-7000-8000-00000000000a';
const KEY = { workspaceId: ID, keyId: ID, model: 'm' };
const START = new Date('2026-03-10T23:59:00.000Z');
const END = new Date('2026-03-11T00:00:00.000Z');
const SUMS = { successful: 1n, errors: 2n, rateLimited: 3n, tokensIn: 4n, tokensOut: 5n, durationMs: 2n ** 60n, audioMs: 7n };

let database: TestDatabase;
let pool: pg.Pool;
let prisma: PrismaClient;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate({ url: database.url, schema: SCHEMA, folder: MIGRATIONS, log });
  pool = openPool({ url: database.url, schema: SCHEMA, log, applicationName: 'usage-test' });
  prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }) });
});
afterAll(async () => {
  await prisma?.$disconnect();
  await pool?.end();
  await database?.drop();
});

it('schema.prisma and the migrations agree, and migrations are applied once', async () => {
  const { described, actual, appliedAgain } = await readSchema({ schema: SCHEMA, migrations: MIGRATIONS });
  expect(Object.keys(described.tables)).toHaveLength(9);
  expect(actual).toEqual(described);
  expect(appliedAgain).toEqual([]);
});

/** Prisma selects and writes every column of the schema, by name and type. */
describe('the generated client', () => {
  it('writes and reads usage_record', async () => {
    const data = { eventId: ID, occurredAt: new Date('2026-03-10T23:59:59.999Z'), ...KEY, ...SUMS };
    await expect(prisma.usageRecord.create({ data })).resolves.toEqual(data);
    await expect(prisma.usageRecord.findUnique({ where: { eventId: ID } })).resolves.toEqual(data);
  });

  it('writes and reads hourly_rollup', async () => {
    const data = { hour: new Date('2026-03-10T23:00:00.000Z'), ...KEY, ...SUMS };
    await expect(prisma.hourlyRollup.create({ data })).resolves.toEqual(data);
    const where = { workspaceId_keyId_hour_model: { ...KEY, hour: data.hour } };
    await expect(prisma.hourlyRollup.upsert({ where, create: data, update: SUMS })).resolves.toEqual(data);
  });

  it('writes and reads daily_rollup', async () => {
    const data = { day: new Date('2026-03-10T00:00:00.000Z'), ...KEY, ...SUMS };
    await expect(prisma.dailyRollup.create({ data })).resolves.toEqual(data);
    const where = { workspaceId_keyId_day_model: { ...KEY, day: data.day } };
    await expect(prisma.dailyRollup.upsert({ where, create: data, update: SUMS })).resolves.toEqual(data);
  });

  const SKETCH = { kind: 'key', workspaceId: ID, id: ID, durations: Uint8Array.of(7, 1), firstTokens: new Uint8Array(), errors: { A: 1 } };

  it('writes and reads hourly_sketch', async () => {
    const data = { hour: new Date('2026-03-10T23:00:00.000Z'), ...SKETCH };
    await expect(prisma.hourlySketch.create({ data })).resolves.toEqual(data);
  });

  it('writes and reads daily_sketch', async () => {
    const data = { day: new Date('2026-03-10T00:00:00.000Z'), ...SKETCH };
    await expect(prisma.dailySketch.create({ data })).resolves.toEqual(data);
  });

  it('writes and reads quota_counter', async () => {
    const data = { kind: 'key', subjectId: ID, metric: 'tokens', windowSeconds: 60n, started: START, endsAt: END, used: 2n ** 60n };
    await expect(prisma.quotaCounter.create({ data })).resolves.toEqual(data);
  });

  it('writes and reads quota_lease', async () => {
    const window = { windowSeconds: 60n, started: START, endsAt: END };
    const data = { id: ID, kind: 'key', subjectId: ID, metric: 'tokens', ...window, move: 1, moved: -(2n ** 60n), granted: 2n ** 60n };
    await expect(prisma.quotaLease.create({ data })).resolves.toEqual(data);
  });
});
