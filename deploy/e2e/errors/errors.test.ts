import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from '@parley/protos/error-catalogue';
import { describedBy } from '../harness/described.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { STRICT } from './gateway.ts';
import { check, checkRun } from './row.ts';
import { TABLES } from './tables.ts';
import { RUN_ERRORS } from './tables/actions.ts';

describe('every error that the gateway has for its clients', () => {
  inBothTopologies(
    (gateway) => {
      describe.each(Object.entries(TABLES))('%s', (_topic, rows) => {
        it.each(rows)('%s: %s', (...row) => check(gateway(), row));
      });

      it.each(RUN_ERRORS)('of a run, %s: %s', (...row) => checkRun(gateway(), row));

      it('of a run are refusals of no operation', async () => {
        const { paths } = await describedBy(gateway());
        const described = Object.values(paths)
          .flatMap((operations) => Object.values(operations))
          .flatMap(({ responses }) => Object.values(responses).flatMap((response) => response['x-error-codes'] ?? []));
        const ofRuns = RUN_ERRORS.map(([condition]) => ERROR_CATALOGUE[condition].code as string);
        expect(described.filter((code) => ofRuns.includes(code))).toEqual([]);
      });
    },
    { env: STRICT },
  );
});
