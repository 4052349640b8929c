import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, type Component, type Member, startCluster } from '../../harness/cluster.ts';
import { Ledger } from '../../harness/ledger.ts';
import { type OwnInfra, startOwnInfra } from '../../harness/own-infra.ts';
import { type Parley, START_MS, startParley } from '../../harness/parley.ts';
import { freeze } from '../../harness/parts.ts';
import { expectNothingLost, goesOn, restartAll, ROLLING_VALUES } from '../../harness/rolling.ts';
import { Sandbox } from '../../harness/sandbox.ts';
import { makeTenant } from '../../harness/tenant.ts';
import { startTraffic, type Traffic } from '../../harness/traffic.ts';

/** The load; less of it on a small machine. */
const STREAMS = Number(process.env['PARLEY_ROLLING_STREAMS'] ?? 200);
const PER_SECOND = Number(process.env['PARLEY_ROLLING_TURNS'] ?? 100);
/** Streams of half a minute, with a word every 100 ms. */
const [WORDS, PACE_MS] = [300, 100];
/** A machine that hangs, and a database or a broker that is away. */
const [FROZEN_MS, AWAY_MS] = [15_000, 30_000];
const COMPONENTS: Component[] = ['edge', 'chat-routing', 'conversation'];

describe('two replicas of edge, chat-routing and conversation under load', () => {
  let infra: OwnInfra;
  let parley: Parley;
  let cluster: Cluster;
  let ledger: Ledger;
  let traffic: Traffic;
  const gateway = () => cluster.gateway;
  beforeAll(async () => {
    infra = await startOwnInfra();
    parley = await startParley({ topology: 'separate', env: infra.env });
    cluster = await startCluster(parley, ROLLING_VALUES);
  }, START_MS * 3);
  afterAll(async () => {
    await cluster?.close();
    await parley?.dispose();
    await infra?.dispose();
  });
  beforeEach(async () => {
    ledger = new Ledger(gateway, await makeTenant(gateway));
    await new Sandbox(gateway).setPace(PACE_MS);
    traffic = startTraffic(ledger, { streams: STREAMS, words: WORDS, perSecond: PER_SECOND });
    await goesOn(traffic);
  });
  afterEach(() => traffic?.stop());

  const first = (component: Component): Member => cluster.members.find((one) => one.component === component) as Member;

  /** Lets the traffic go on after a fault and end, and gives the turns that did not end well. */
  async function unwell() {
    await goesOn(traffic);
    await traffic.stop();
    return ledger.heard.filter(({ outcome }) => outcome !== 'completed');
  }

  /** Expects that each client that got an error may try again. */
  function expectCoded(turns: Awaited<ReturnType<typeof unwell>>): void {
    const codes = turns.map(({ outcome, status, code }) => ({ outcome, status, code }));
    const known = codes.filter(
      ({ outcome, status, code }) =>
        code === 'SERVICE_UNAVAILABLE' && (outcome === 'failed' ? status === 200 : outcome === 'refused' && status === 503),
    );
    expect(codes.filter((one) => !known.includes(one))).toEqual([]);
  }

  it(
    'restart one by one: no stream is cut, no request fails, no turn is lost or doubled',
    async () => {
      await restartAll(cluster, parley, ['usage', 'asset', 'audio', 'actions'], traffic);
      await traffic.stop();
      await expectNothingLost(ledger);
    },
    20 * 60_000,
  );

  it.each(COMPONENTS)('kill -9 of one %s: only what ran on it fails', async (component) => {
    await first(component).restart('SIGKILL');
    const turns = await unwell();
    if (component === 'conversation') expect(turns).toEqual([]);
    if (component === 'chat-routing') expectCoded(turns);
    expect(turns.length).toBeLessThan(STREAMS);
    await ledger.reconcile();
    await ledger.expectTold();
  });

  it.each(COMPONENTS)(
    'SIGSTOP of one %s for 15 s: it is noticed, its share goes to the other, and the record says what clients got',
    async (component) => {
      await first(component).freeze(FROZEN_MS);
      const turns = await unwell();
      if (component === 'conversation') expect(turns).toEqual([]);
      if (component === 'chat-routing') expectCoded(turns);
      await ledger.reconcile();
      await ledger.expectTold();
    },
  );

  it.each([false, true])('NATS away (wiped: %s): nothing is lost', async (isWiped) => {
    await infra.broker.stop();
    if (isWiped) await infra.wipeBroker();
    await sleep(AWAY_MS);
    await infra.broker.start();
    await goesOn(traffic);
    await traffic.stop();
    await expectNothingLost(ledger);
  });

  const outages: [string, () => Promise<void>][] = [
    ['restarted at once', async () => void process.kill(infra.database.pid, 'SIGQUIT')],
    ['away for 30 s', () => infra.database.stop().then(() => sleep(AWAY_MS))],
  ];
  it.each(outages)(
    'PostgreSQL %s: streams end well, refusals say to try again, and the record says what clients got',
    async (_how, outage) => {
      await outage();
      await infra.database.stop();
      await infra.database.start();
      const turns = await unwell();
      expectCoded(turns);
      expect(turns.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      await ledger.reconcile();
      await ledger.expectTold();
    },
  );

  it('PostgreSQL frozen for 15 s: nothing that exists is not found', async () => {
    const thaw = await freeze(infra.database.pid);
    await sleep(FROZEN_MS);
    thaw();
    expectCoded(await unwell());
    await ledger.reconcile();
    await ledger.expectTold();
  });
});
