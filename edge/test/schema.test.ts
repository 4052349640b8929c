import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { type Database, openDatabase, SCHEMA } from '../src/store/client.ts';
import { captureLog, type House, startHouse } from './harness.ts';

describe('schema.prisma and the migrations', () => {
  let house: House;
  let pool: ReturnType<typeof openPool>;
  let db: Database;
  beforeAll(async () => {
    house = await startHouse();
    pool = openPool({ url: house.config.databaseUrl, schema: SCHEMA, log: captureLog().log, applicationName: 'test' });
    db = openDatabase(pool);
  });
  afterAll(async () => {
    await db.$disconnect();
    await pool.end();
    await house[Symbol.asyncDispose]();
  });

  it('agree: every model can be read with every column', async () => {
    const rows = await Promise.all([
      db.workspace.findMany(),
      db.user.findMany(),
      db.membership.findMany(),
      db.apiKey.findMany(),
      db.internalProject.findMany(),
      db.auditEntry.findMany(),
      db.throttleCounter.findMany(),
    ]);
    expect(rows.map(({ length }) => length)).toEqual([1, 1, 1, 1, 0, 0, 0]);
  });
});
