import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type Parley, START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { check } from './row.ts';
import { OWN_FAULTS } from './tables/own-faults.ts';

describe('every error of a house that is out of order', () => {
  let parley: Parley | undefined;
  beforeAll(async () => {
    parley = await startParley({ topology: 'separate' });
  }, START_MS);
  afterAll(() => parley?.dispose(), STOP_MS);

  it.each(OWN_FAULTS)('%s: %s', async (...row) => {
    if (!parley) throw new Error('the house did not start');
    await check(parley, row);
  });
});
