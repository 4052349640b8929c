import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type Ground, startGround } from './ground.ts';
import { type Parley, START_MS, startParley, type StartOptions, STOP_MS, type Topology } from './parley.ts';

/** Runs the same tests against a gateway in one process and against one of many, on a database and a broker that can be taken away. */
export function onGround(
  tests: (gateway: () => Parley, ground: () => Ground, topology: Topology) => void,
  options: Omit<StartOptions, 'topology'> = {},
): void {
  describe.each(['single', 'separate'] as const)('%s', (topology) => {
    let ground: Ground | undefined;
    let parley: Parley | undefined;
    beforeAll(async () => {
      ground = await startGround();
      parley = await startParley({ ...options, topology, env: { ...options.env, ...ground.env } });
    }, 2 * START_MS);
    afterAll(async () => {
      const log = await parley?.log();
      await parley?.dispose();
      await ground?.dispose();
      // Nothing of the gateway may fall because of what it stands on.
      expect(log).not.toContain('part died');
    }, 2 * STOP_MS);
    tests(
      () => present(parley),
      () => present(ground),
      topology,
    );
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the gateway did not start');
  return value;
}
