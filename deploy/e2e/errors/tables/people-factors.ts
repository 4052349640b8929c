import { makePerson } from '../../harness/person.ts';
import { type Provoke, type Row } from '../row.ts';

/** Asks for what needs a second factor with a session that has shown one. */
const withOneFactor: Provoke = async (gateway) => {
  const person = await makePerson(gateway, { requiresSecondFactor: true });
  return person.call('GET', '/me/v1/profile');
};

/** Errors of second factors. */
export const FACTOR_ERRORS: readonly Row[] = [
  ['SECOND_FACTOR_REQUIRED', 'a session with one factor where two are demanded', withOneFactor],
];
