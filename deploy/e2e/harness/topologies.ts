import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type Parley, START_MS, startParley, type StartOptions, STOP_MS, type Topology } from './parley.ts';

/** Runs the same tests against a gateway in one process and against one of many; each is started once. */
export function inBothTopologies(
  tests: (gateway: () => Parley, topology: Topology) => void,
  options: Omit<StartOptions, 'topology'> = {},
): void {
  describe.each(['single', 'separate'] as const)('%s', (topology) => {
    let parley: Parley | undefined;
    beforeAll(async () => {
      parley = await startParley({ ...options, topology });
    }, START_MS + 5_000);
    afterAll(async () => {
      const log = await parley?.log();
      await parley?.dispose();
      // Whatever a test did to the gateway from outside, nothing in it may have fallen over.
      expect(log).not.toContain('part died');
    }, STOP_MS);
    tests(() => {
      if (!parley) throw new Error('the gateway did not start');
      return parley;
    }, topology);
  });
}
