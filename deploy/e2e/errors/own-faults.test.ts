import { describe, it } from '@jest/globals';
import { oneHouse } from '../harness/one-house.ts';
import { check } from './row.ts';
import { OWN_FAULTS } from './tables/own-faults.ts';

describe('every error of a house that is out of order', () => {
  const house = oneHouse({ topology: 'separate' });

  it.each(OWN_FAULTS)('%s: %s', async (...row) => {
    await check(house(), row);
  });
});
