import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openMaintenanceRunner } from '../src/db/maintenance-runner.ts';
import {
  dropMonthPartition,
  listMonthPartitions,
  listNonMonthlyPartitions,
  type MonthlyTable,
  partitionByMonth,
} from '../src/db/monthly-partitions.ts';
import { createLogger } from '../src/log/logger.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/database.ts';

const EVENTS: MonthlyTable = { name: 'events', column: 'at', toLiteral: (time) => `'${time.toISOString()}'` };
const KEPT: MonthlyTable = { ...EVENTS, name: 'kept_events', keptColumn: 'kept' };
const NOW = new Date('2026-11-23T12:00:00.000Z');
const MONTHS = ['2026_11', '2026_12', '2027_01', '2027_02'];

describe('a table partitioned by month', () => {
  let database: TestDatabase;
  let sql: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new pg.Pool({ connectionString: database.url });
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });
  beforeEach(async () => {
    for (const { name } of [EVENTS, KEPT]) {
      await sql.query(
        `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL, kept BOOLEAN NOT NULL DEFAULT false, said TEXT NOT NULL DEFAULT 'hi')`,
      );
      await sql.query(`CREATE INDEX ${name}_said_idx ON ${name} (said)`);
    }
  });
  afterEach(() => sql.query('DROP TABLE events, kept_events CASCADE'));

  const add = (table: MonthlyTable, ...rows: [id: number, at: string][]) =>
    Promise.all(rows.map((row) => sql.query(`INSERT INTO ${table.name} (id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, row)));
  const idsOf = async (name: string) => (await sql.query<{ id: number }>(`SELECT id FROM ${name} ORDER BY id`)).rows.map(({ id }) => id);
  const monthsOf = async (table: MonthlyTable) => (await listMonthPartitions(sql, table)).map(({ name }) => name);

  it.each([
    ['without kept rows', EVENTS],
    ['with kept rows', KEPT],
  ])('has its rows, indexes and defaults in months, %s', async (_, table) => {
    await add(table, [1, '2020-01-01'], [2, '2026-11-30T23:59:59.999Z']);
    expect([await monthsOf(table), await listNonMonthlyPartitions(sql, table)]).toEqual([[], [table.name]]);
    await partitionByMonth(sql, table, NOW);
    await add(table, [3, '2026-12-01'], [4, '2027-02-28'], [5, '2027-03-01'], [1, '2020-01-01'], [3, '2026-12-31']);
    expect(await monthsOf(table)).toEqual(MONTHS);
    const first = `${table.name}_2026_11`;
    expect([await idsOf(table.name), await idsOf(first), await idsOf(`${table.name}_rest`)]).toEqual([[1, 2, 3, 4, 5], [1, 2], [5]]);
    const { rows } = await sql.query<{ indexes: number }>(
      `SELECT count(*)::int AS indexes FROM pg_indexes WHERE tablename = ANY ($1) GROUP BY tablename`,
      [[...MONTHS, 'rest'].map((month) => `${table.name}_${month}`)],
    );
    expect(rows).toEqual(Array(5).fill({ indexes: 2 }));
    // Again a month later, and it is the same at once.
    await partitionByMonth(sql, table, new Date('2026-12-01T00:00:00.000Z'));
    // March has a row already, which stays where it is.
    expect(await monthsOf(table)).toEqual(MONTHS);
    await partitionByMonth(sql, table, new Date('2027-01-31T00:00:00.000Z'));
    expect(await monthsOf(table)).toEqual([...MONTHS, '2027_04']);
    expect(await idsOf(table.name)).toEqual([1, 2, 3, 4, 5]);
  });

  it('drops a month with its rows, but not the kept ones, and not against a veto', async () => {
    await add(KEPT, [1, '2020-01-01'], [2, '2026-11-01']);
    await partitionByMonth(sql, KEPT, NOW);
    await add(KEPT, [3, '2026-12-01']);
    await sql.query('UPDATE kept_events SET kept = true WHERE id = 2');
    const [month] = await listMonthPartitions(sql, KEPT);
    if (!month) throw new Error('there is no month');
    expect(month).toEqual({ name: '2026_11', until: new Date('2026-12-01T00:00:00.000Z') });
    expect(await dropMonthPartition(sql, [KEPT], month, () => Promise.resolve(false))).toBe(false);
    expect(await idsOf('kept_events')).toEqual([1, 2, 3]);
    expect(await dropMonthPartition(sql, [KEPT], month)).toBe(true);
    expect([await idsOf('kept_events'), await idsOf('kept_events_kept')]).toEqual([[2, 3], [2]]);
    expect(await listNonMonthlyPartitions(sql, KEPT)).toEqual(['kept_events_rest', 'kept_events_kept']);
  });

  it('stays whole while it is busy or has rows of a month to come, and takes every row', async () => {
    const busy = await sql.connect();
    await busy.query('BEGIN; LOCK TABLE events IN ROW EXCLUSIVE MODE');
    await expect(partitionByMonth(sql, EVENTS, NOW)).rejects.toMatchObject({ code: '55P03' });
    await busy.query('COMMIT');
    busy.release();
    await add(EVENTS, [1, '2030-01-01']);
    await expect(partitionByMonth(sql, EVENTS, NOW)).rejects.toMatchObject({ code: '23514' });
    await add(EVENTS, [2, '2031-01-01']);
    expect([await monthsOf(EVENTS), await idsOf('events')]).toEqual([[], [1, 2]]);
    await sql.query('DELETE FROM events');
    await partitionByMonth(sql, EVENTS, NOW);
    expect(await monthsOf(EVENTS)).toEqual(MONTHS);
  });

  it('is partitioned by one of many replicas', async () => {
    const log = createLogger({ service: 'test', level: 'silent' });
    const replicas = Array.from({ length: 4 }, () => openMaintenanceRunner({ url: database.url, schema: 'public', log }));
    const worked = await Promise.all(replicas.map((replica) => replica.tryRun((pool) => partitionByMonth(pool, EVENTS, NOW))));
    expect(worked).toContain(true);
    expect(await monthsOf(EVENTS)).toEqual(MONTHS);
    // Who holds the lock gives it back.
    for (const replica of replicas) expect(await replica.tryRun(() => Promise.resolve())).toBe(true);
    await Promise.all(replicas.map((replica) => replica.close()));
  });
});
