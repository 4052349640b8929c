import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { migrate } from '@parley/kit/db/migrate';
import { MIGRATIONS, SCHEMA } from '../src/store/database.ts';
import { type Fixture, SILENT, createFixture } from './fixture.ts';
import { indexesOfDatabase, indexesOfPrisma, tablesOfDatabase, tablesOfPrisma } from '@parley/kit/testing/schema-tables';

describe('schema.prisma and the migrations', () => {
  let fixture: Fixture;
  let schema: string;
  beforeAll(async () => {
    fixture = await createFixture();
    await migrate({ url: fixture.url, schema: SCHEMA, folder: MIGRATIONS, log: SILENT });
    schema = await readFile(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
  });
  afterAll(() => fixture.close());

  it('agree on every table and column', async () => {
    const described = tablesOfPrisma(schema);
    expect(Object.keys(described)).toHaveLength(11);
    await expect(tablesOfDatabase(fixture.sql, SCHEMA)).resolves.toEqual(described);
  });

  it('agree on keys and indexes', async () => {
    await expect(indexesOfDatabase(fixture.sql, SCHEMA)).resolves.toEqual(indexesOfPrisma(schema));
  });

  it('are applied once', async () => {
    await expect(migrate({ url: fixture.url, schema: SCHEMA, folder: MIGRATIONS, log: SILENT })).resolves.toEqual([]);
  });
});
