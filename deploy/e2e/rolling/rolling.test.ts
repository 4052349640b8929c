import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from '../harness/cluster.ts';
import { Ledger } from '../harness/ledger.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { expectNothingLost, goesOn, restartAll, ROLLING_VALUES } from '../harness/rolling.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant } from '../harness/tenant.ts';
import { startTraffic } from '../harness/traffic.ts';

/** Seven processes are stopped and started: under a minute, unless the machine is busy. */
const ROLLED_MS = 15 * 60_000;

describe('a rolling restart', () => {
  let parley: Parley;
  let cluster: Cluster;
  beforeAll(async () => {
    parley = await startParley({ topology: 'separate' });
    cluster = await startCluster(parley, ROLLING_VALUES);
  });
  afterAll(async () => {
    await cluster?.close();
    await parley?.dispose();
  });

  it(
    'cuts no stream, fails no request, and loses and doubles no turn',
    async () => {
      const gateway = () => cluster.gateway;
      const ledger = new Ledger(gateway, await makeTenant(gateway));
      await new Sandbox(gateway).setPace(100);
      const traffic = startTraffic(ledger, { streams: 20, words: 40, perSecond: 10 });
      try {
        await goesOn(traffic);
        await restartAll(cluster, parley, ['usage'], traffic);
      } finally {
        await traffic.stop();
      }
      await expectNothingLost(ledger);
      expect(cluster.balancer.up()).toHaveLength(2);
    },
    ROLLED_MS,
  );
});
