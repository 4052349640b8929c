import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@parley/kit/db/migrate';
import { openPool } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { createTestDatabase, type TestDatabase } from '@parley/kit/testing/database';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { Prisma, PrismaClient } from '../src/generated/prisma/client.ts';
import { MIGRATIONS, SCHEMA } from '../src/store/schema.ts';

const log = createLogger({ service: 'usage', level: 'silent' });
const ID = '01900000-0000-7000-8000-00000000000a';
const KEY = { workspaceId: ID, keyId: ID, model: 'm' };
const START = new Date('2026-03-10T23:59:00.000Z');
const END = new Date('2026-03-11T00:00:00.000Z');
const SUMS = { successful: 1n, errors: 2n, rateLimited: 3n, tokensIn: 4n, tokensOut: 5n, durationMs: 2n ** 60n };

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

async function columns(table: string): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2';
  const { rows } = await pool.query<{ count: number }>(sql, [SCHEMA, table]);
  return rows[0]?.count ?? 0;
}

/** Prisma selects and writes every column it knows by name and type; the count shows that it knows all of them. */
describe('schema.prisma', () => {
  it('agrees with the migrations on usage_record', async () => {
    const data = { eventId: ID, occurredAt: new Date('2026-03-10T23:59:59.999Z'), ...KEY, ...SUMS };
    await expect(prisma.usageRecord.create({ data })).resolves.toEqual(data);
    await expect(prisma.usageRecord.findUnique({ where: { eventId: ID } })).resolves.toEqual(data);
    expect(Object.keys(Prisma.UsageRecordScalarFieldEnum)).toHaveLength(await columns('usage_record'));
  });

  it('agrees with the migrations on hourly_rollup', async () => {
    const data = { hour: new Date('2026-03-10T23:00:00.000Z'), ...KEY, ...SUMS };
    await expect(prisma.hourlyRollup.create({ data })).resolves.toEqual(data);
    const where = { workspaceId_keyId_hour_model: { ...KEY, hour: data.hour } };
    await expect(prisma.hourlyRollup.upsert({ where, create: data, update: SUMS })).resolves.toEqual(data);
    expect(Object.keys(Prisma.HourlyRollupScalarFieldEnum)).toHaveLength(await columns('hourly_rollup'));
  });

  it('agrees with the migrations on daily_rollup', async () => {
    const data = { day: new Date('2026-03-10T00:00:00.000Z'), ...KEY, ...SUMS };
    await expect(prisma.dailyRollup.create({ data })).resolves.toEqual(data);
    const where = { workspaceId_keyId_day_model: { ...KEY, day: data.day } };
    await expect(prisma.dailyRollup.upsert({ where, create: data, update: SUMS })).resolves.toEqual(data);
    expect(Object.keys(Prisma.DailyRollupScalarFieldEnum)).toHaveLength(await columns('daily_rollup'));
  });

  it('agrees with the migrations on quota_counter', async () => {
    const data = { kind: 'key', subjectId: ID, metric: 'tokens', windowSeconds: 60n, started: START, endsAt: END, used: 2n ** 60n };
    await expect(prisma.quotaCounter.create({ data })).resolves.toEqual(data);
    expect(Object.keys(Prisma.QuotaCounterScalarFieldEnum)).toHaveLength(await columns('quota_counter'));
  });

  it('agrees with the migrations on quota_lease', async () => {
    const window = { windowSeconds: 60n, started: START, endsAt: END };
    const data = { id: ID, kind: 'key', subjectId: ID, metric: 'tokens', ...window, move: 1, moved: -(2n ** 60n), granted: 2n ** 60n };
    await expect(prisma.quotaLease.create({ data })).resolves.toEqual(data);
    expect(Object.keys(Prisma.QuotaLeaseScalarFieldEnum)).toHaveLength(await columns('quota_lease'));
  });

  it('has no table that the migrations do not make, and no other way round', async () => {
    const sql =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = $1 AND table_name <> '_prisma_migrations' ORDER BY 1";
    const { rows } = await pool.query<{ table_name: string }>(sql, [SCHEMA]);
    expect(rows.map((row) => row.table_name)).toEqual(['daily_rollup', 'hourly_rollup', 'quota_counter', 'quota_lease', 'usage_record']);
    expect(Object.keys(Prisma.ModelName).sort()).toEqual(['DailyRollup', 'HourlyRollup', 'QuotaCounter', 'QuotaLease', 'UsageRecord']);
  });
});
