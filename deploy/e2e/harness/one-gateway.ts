import { afterAll, beforeAll } from '@jest/globals';
import { type Gateway, type Parley, START_MS, startParley, type StartOptions, STOP_MS } from './parley.ts';

/** Starts a gateway before the first test of the block that this is called in, and stops it behind the last. */
export function oneGateway(options: StartOptions = {}): () => Gateway {
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
