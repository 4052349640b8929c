import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type OwnInfra, startOwnInfra } from './own-infra.ts';
import { type Parley, startParley, type StartOptions, type Topology } from './parley.ts';

/** Runs the same tests against a gateway in one process and against one of many, on a database and a broker that can be taken away. */
export function onOwnInfra(
  tests: (gateway: () => Parley, infra: () => OwnInfra, topology: Topology) => void,
  options: Omit<StartOptions, 'topology'> = {},
): void {
  describe.each(['single', 'separate'] as const)('%s', (topology) => {
    let infra: OwnInfra | undefined;
    let parley: Parley | undefined;
    beforeAll(async () => {
      infra = await startOwnInfra();
      parley = await startParley({ ...options, topology, env: { ...options.env, ...infra.env } });
    });
    afterAll(async () => {
      const log = await parley?.log();
      await parley?.dispose();
      await infra?.dispose();
      // No part of the gateway may end because of its database or broker.
      expect(log).not.toContain('part died');
    });
    tests(
      () => present(parley),
      () => present(infra),
      topology,
    );
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the gateway did not start');
  return value;
}
