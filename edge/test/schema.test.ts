import { beforeAll, describe, expect, it } from '@jest/globals';
import { type SchemaFacts, readSchema } from '@parley/kit/testing/read-schema';
import { MIGRATIONS, SCHEMA } from '../src/store/client.ts';

describe('schema.prisma and the migrations', () => {
  let schema: SchemaFacts;
  beforeAll(async () => {
    schema = await readSchema({ schema: SCHEMA, migrations: MIGRATIONS });
  });

  it('agree on every table and column', () => {
    expect(Object.keys(schema.described.tables)).toHaveLength(7);
    expect(schema.actual.tables).toEqual(schema.described.tables);
  });

  it('agree on keys and indexes', () => {
    expect(schema.actual.indexes).toEqual(schema.described.indexes);
  });

  it('are applied once', () => {
    expect(schema.appliedAgain).toEqual([]);
  });
});
