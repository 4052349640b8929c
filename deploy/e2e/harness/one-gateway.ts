import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Gateway, type Parley, startParley, type StartOptions, type Topology } from './parley.ts';
import { sharedGateway } from './shared/shared-gateway.ts';
import { becomesWhole } from './whole.ts';

/**
 * Starts a gateway before the first test of the block that this is called in, and stops it behind the last. Each test begins when all of it is
 * well, whatever the one before has killed.
 */
export function oneGateway(options: StartOptions = {}): () => Gateway {
  let parley: Parley | undefined;
  afterAll(() => parley?.dispose());
  return beginningWhole(async () => (parley = await startParley(options)));
}

/** The same with the gateway that test files share: for tests that end no part of it, and let those go on that they make hang. */
export function oneSharedGateway(topology: Topology): () => Gateway {
  return beginningWhole(() => sharedGateway(topology));
}

function beginningWhole(start: () => Promise<Gateway>): () => Gateway {
  let gateway: Gateway | undefined;
  const present = () => {
    if (!gateway) throw new Error('the gateway did not start');
    return gateway;
  };
  beforeAll(async () => void (gateway = await start()));
  beforeEach(() => becomesWhole(present()));
  return present;
}
