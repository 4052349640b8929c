import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '@parley/protos/catalogue';
import { describedBy } from '../harness/described.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { STRICT } from './house.ts';
import { check } from './row.ts';
import { NOT_YET, TABLES } from './tables.ts';

/** The codes of operations that there are not. */
const unreachable: readonly string[] = Object.entries(CATALOGUE).flatMap(([name, { code }]) => (NOT_YET.test(name) ? [code] : []));

describe('every error that the house has for its clients', () => {
  inBothTopologies(
    (house) => {
      describe.each(Object.entries(TABLES))('%s', (_topic, rows) => {
        it.each(rows)('%s: %s', (...row) => check(house(), row));
      });

      it('are all that an operation is described with; those left out have no operation yet', async () => {
        const { paths } = await describedBy(house());
        expect(Object.keys(paths).filter((path) => path.startsWith('/v1/actions'))).toEqual([]);
        const described = Object.values(paths)
          .flatMap((operations) => Object.values(operations))
          .flatMap(({ responses }) => Object.values(responses).flatMap((response) => response['x-error-codes'] ?? []));
        expect(described.filter((code) => unreachable.includes(code))).toEqual([]);
      });
    },
    { env: STRICT },
  );
});
