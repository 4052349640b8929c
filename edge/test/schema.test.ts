import { expect, it } from '@jest/globals';
import { readSchema } from '@parley/kit/testing/read-schema';
import { MIGRATIONS, SCHEMA } from '../src/store/client.ts';

it('schema.prisma and the migrations agree, and migrations are applied once', async () => {
  const { described, actual, appliedAgain } = await readSchema({ schema: SCHEMA, migrations: MIGRATIONS });
  expect(Object.keys(described.tables)).toHaveLength(20);
  expect(actual).toEqual(described);
  expect(appliedAgain).toEqual([]);
});
