import { afterAll, beforeAll } from '@jest/globals';
import { type Parley, START_MS, startParley, type StartOptions, STOP_MS } from './parley.ts';

/** A gateway for all tests of the block that this is called in: started before the first, stopped behind the last. */
export function oneGateway(options: StartOptions = {}): () => Parley {
  let parley: Parley | undefined;
  beforeAll(async () => {
    parley = await startParley(options);
  }, START_MS);
  afterAll(() => parley?.dispose(), STOP_MS);
  return () => {
    if (!parley) throw new Error('the gateway did not start');
    return parley;
  };
}
