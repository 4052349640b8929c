import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encodeBigintArray,
  encodeBoolArray,
  encodeByteaArray,
  encodeIntArray,
  encodeTextArray,
  encodeUuidArray,
} from '@parley/kit/db/binary-array';
import { type TestDatabase, createTestDatabase } from '@parley/kit/testing/database';
import fc from 'fast-check';
import pg from 'pg';

describe('binary arrays', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.url);
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** What the server has understood. */
  async function echoed(type: string, parameter: Buffer): Promise<unknown> {
    const { rows } = await client.query<{ values: unknown }>(`SELECT $1::${type}[] AS values`, [parameter]);
    return rows[0]?.values;
  }

  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));

  it.each([
    { type: 'uuid', encode: encodeUuidArray as (values: never[]) => Buffer, values: fc.uuid() },
    { type: 'int4', encode: encodeIntArray, values: fc.integer() },
    { type: 'text', encode: encodeTextArray, values: text },
    { type: 'bytea', encode: encodeByteaArray, values: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
  ] as { type: string; encode: (values: unknown[]) => Buffer; values: fc.Arbitrary<unknown> }[])(
    'are understood as $type[], nulls and all',
    async ({ type, encode, values }) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.option(values)), async (given) => {
          expect(await echoed(type, encode(given))).toEqual(given);
        }),
        { numRuns: 50 },
      );
    },
  );

  it('are read as int8[], with nulls, and contain safe integers only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.maxSafeInteger())), async (given) => {
        // The driver gives int8 as text.
        expect(await echoed('int8', encodeBigintArray(given))).toEqual(given.map((value) => (value === null ? null : String(value))));
      }),
      { numRuns: 50 },
    );
    for (const wrong of [0.5, Number.NaN, 2 ** 53]) expect(() => encodeBigintArray([wrong])).toThrow(RangeError);
  });

  it('are understood as bool[]', async () => {
    expect(await echoed('bool', encodeBoolArray([true, false, true]))).toEqual([true, false, true]);
  });

  it('takes UUIDs in capitals, and nothing that is no UUID', async () => {
    const id = '01A1FDDE-FED9-75A1-9E14-598252566435';
    expect(await echoed('uuid', encodeUuidArray([id]))).toEqual([id.toLowerCase()]);
    for (const wrong of ['', id.slice(1), `${id}0`, id.replace('F', 'g'), id.replace('-', '_'), id.replace('A', 'é')]) {
      expect(() => encodeUuidArray([wrong])).toThrow(TypeError);
    }
  });
});
