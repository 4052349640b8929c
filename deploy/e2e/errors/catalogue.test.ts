import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE, type ErrorCondition } from '@parley/protos/error-catalogue';
import { TABLES } from './tables.ts';
import { RUN_ERRORS } from './tables/actions.ts';
import { OWN_FAULTS } from './tables/own-faults.ts';

/** A client that went away: it is the reason in the record and the log, and there is no client to answer. */
const NOBODY_TO_TELL: readonly ErrorCondition[] = ['CANCELLED'];

const conditions = Object.keys(ERROR_CATALOGUE) as ErrorCondition[];
const provoked = [...Object.values(TABLES).flat(), ...OWN_FAULTS, ...RUN_ERRORS].map(([condition]) => condition);

describe('the tables of errors', () => {
  it('have every condition of the catalogue once', () => {
    const due = conditions.filter((condition) => !NOBODY_TO_TELL.includes(condition));
    expect(provoked.toSorted()).toEqual(due.toSorted());
  });
});
