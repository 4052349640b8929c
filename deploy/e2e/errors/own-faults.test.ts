import { describe, it } from '@jest/globals';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { check } from './row.ts';
import { OWN_FAULTS } from './tables/own-faults.ts';

describe('every error of a gateway that is out of order', () => {
  const gateway = oneSharedGateway('separate');

  it.each(OWN_FAULTS)('%s: %s', async (...row) => {
    await check(gateway(), row);
  });
});
