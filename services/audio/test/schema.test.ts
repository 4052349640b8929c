import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { migrate } from '@parley/kit/db/migrate';
import { createTestDatabase, type TestDatabase } from '@parley/kit/testing/database';
import { indexesOfDatabase, indexesOfPrisma, tablesOfDatabase, tablesOfPrisma } from '@parley/kit/testing/schema-tables';
import pg from 'pg';
import { MIGRATIONS, SCHEMA } from '../src/store/database.ts';
import { SILENT } from './fixture.ts';

describe('schema.prisma and the migrations', () => {
  let database: TestDatabase;
  let sql: pg.Pool;
  let schema: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new pg.Pool({ connectionString: database.url, max: 1 });
    await migrate({ url: database.url, schema: SCHEMA, folder: MIGRATIONS, log: SILENT });
    schema = await readFile(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
  });
  afterAll(async () => {
    await sql?.end();
    await database?.drop();
  });

  it('agree on every table and column', async () => {
    const described = tablesOfPrisma(schema);
    expect(Object.keys(described)).toHaveLength(4);
    await expect(tablesOfDatabase(sql, SCHEMA)).resolves.toEqual(described);
  });

  it('agree on keys and indexes', async () => {
    await expect(indexesOfDatabase(sql, SCHEMA)).resolves.toEqual(indexesOfPrisma(schema));
  });

  it('are applied once', async () => {
    await expect(migrate({ url: database.url, schema: SCHEMA, folder: MIGRATIONS, log: SILENT })).resolves.toEqual([]);
  });
});
