import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type Gateway, startParley, type StartOptions, type Topology } from './parley.ts';
import { sharedGateway } from './shared/shared-gateway.ts';

/**
 * Runs the same tests against a gateway in one process and against one of many.
 * Without options both are shared with other test files, so a test looks at its own tenant only; with options each is started once for the file.
 */
export function inBothTopologies(
  tests: (gateway: () => Gateway, topology: Topology) => void,
  options?: Omit<StartOptions, 'topology'>,
): void {
  describe.each(['single', 'separate'] as const)('%s', (topology) => {
    let gateway: Gateway | undefined;
    let dispose: (() => Promise<void>) | undefined;
    let logged = 0;
    beforeAll(async () => {
      if (options) {
        const parley = await startParley({ ...options, topology });
        dispose = () => parley.dispose();
        gateway = parley;
      } else gateway = await sharedGateway(topology);
      logged = (await gateway.log()).length;
    });
    afterAll(async () => {
      const log = await gateway?.log();
      await dispose?.();
      // No part of the gateway may end because of what a test did to it from outside.
      expect(log?.slice(logged)).not.toContain('part died');
    });
    tests(() => {
      if (!gateway) throw new Error('the gateway did not start');
      return gateway;
    }, topology);
  });
}
