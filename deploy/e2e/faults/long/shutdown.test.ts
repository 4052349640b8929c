import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask } from '../../harness/chat.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { Ledger } from '../../harness/ledger.ts';
import { type Parley, START_MS, startParley, STOP_MS, type Topology } from '../../harness/parley.ts';
import { deathsOf, type PartName, partOf } from '../../harness/parts.ts';
import { nothingLeft } from '../../harness/processes.ts';
import { Sandbox } from '../../harness/sandbox.ts';
import { makeTenant } from '../../harness/tenant.ts';
import { type TurnResult } from '../../harness/turn-result.ts';

const STREAMS = 100;
/** Words of an answer that ends within any drain, and of one that does not. At 50 ms a word. */
const [SHORT, ENDLESS] = [60, 4_000];
const PACE_MS = 50;
const AWAY = /^(shutting_down|SERVICE_UNAVAILABLE)$/;
/** A process stops within this time after SIGTERM. */
const STOPPED_MS = 60_000;
const LIFE_MS = START_MS + STOPPED_MS + 2 * STOP_MS;

describe('SIGTERM with a hundred streams open', () => {
  it.each<Topology>(['single', 'separate'])(
    'to the shipped command (%s): answers in time complete, the others end with an error, and every process exits with 0',
    (topology) =>
      withStreams(topology, async (gateway, ledger, listening) => {
        const endless = Array.from({ length: 3 }, () => ledger.turn({ words: ENDLESS }));
        await begun(ledger, STREAMS + endless.length);
        const family = gateway.family();
        gateway.signal('SIGTERM');
        await refusesNew(gateway);
        for (const heard of await Promise.all(listening)) expect(heard).toMatchObject({ outcome: 'completed' });
        for (const heard of await Promise.all(endless)) expectFailed(heard);
        expect(await gateway.exited).toEqual({ code: 0, signal: null });
        await nothingLeft(family, gateway.dataDir, 2_000);
        const again = await gateway.restart();
        await new Sandbox(() => again).setPace(0);
        await ledger.reconcile();
      }),
    LIFE_MS,
  );

  it(
    'to the edge alone: refuses what is new, finishes what is under way, and ends with 0',
    () =>
      withStreams('separate', async (gateway, ledger, listening) => {
        const edge = await partOf(gateway, 'edge');
        process.kill(edge.pid, 'SIGTERM');
        await refusesNew(gateway);
        for (const heard of await Promise.all(listening)) expect(heard).toMatchObject({ outcome: 'completed' });
        await endsWell(gateway, 'edge');
        await ledger.reconcile();
      }),
    LIFE_MS,
  );

  it.each<PartName>(['chat-routing', 'conversation', 'usage'])(
    'to %s alone: its clients get an answer or an error, it ends with 0, and the gateway goes on',
    (name) =>
      withStreams('separate', async (gateway, ledger, listening) => {
        const service = await partOf(gateway, name);
        process.kill(service.pid, 'SIGTERM');
        if (name !== 'usage') expectRefused(await waitFor(async () => [await ledger.turn()].find(({ status }) => status !== 200)));
        for (const heard of await Promise.all(listening)) if (heard.outcome !== 'completed') expectFailed(heard);
        await endsWell(gateway, name);
        await ledger.reconcile();
      }),
    LIFE_MS,
  );
});

/** Runs `test` with a hundred streams open that end after a few seconds. */
async function withStreams(
  topology: Topology,
  test: (gateway: Parley, ledger: Ledger, listening: Promise<TurnResult>[]) => Promise<void>,
): Promise<void> {
  const first = await startParley({ topology });
  // A restart gives a new gateway at a new address on the same data; the ledger asks whichever runs.
  let current = first;
  const gateway: Parley = { ...first, restart: async (options) => (current = await first.restart(options)) };
  try {
    const ledger = new Ledger(() => current, await makeTenant(() => current));
    await new Sandbox(() => current).setPace(PACE_MS);
    const listening = Array.from({ length: STREAMS }, () => ledger.turn({ words: SHORT }));
    await begun(ledger, STREAMS);
    await test(gateway, ledger, listening);
  } finally {
    await first.dispose();
  }
}

async function begun(ledger: Ledger, turns: number): Promise<void> {
  await waitFor(async () => (await ledger.record()).length === turns);
}

/** Expects that probes fail and new requests are refused, as long as it drains. */
async function refusesNew(gateway: Parley): Promise<void> {
  const probe = await waitFor(async () => [await call(gateway, 'GET', '/readyz')].find(({ status }) => status === 503));
  expect(probe.json).toMatchObject({ status: 'draining' });
  expect((await call(gateway, 'GET', '/livez')).status).toBe(200);
  for (const refused of [await ask(gateway), await call(gateway, 'GET', '/v1/models', { key: gateway.apiKey })]) {
    expectRefusal(refused, { status: 503, code: 'shutting_down' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

/** The service that drains says so itself; once it has gone, its callers answer that it is away. */
function expectRefused({ outcome, status, code }: TurnResult): void {
  expect({ outcome, status, code }).toEqual({ outcome: 'refused', status: 503, code: expect.stringMatching(AWAY) });
}

function expectFailed({ outcome, code, raw }: TurnResult): void {
  expect({ outcome, code }).toEqual({ outcome: 'failed', code: expect.stringMatching(AWAY) });
  expect(raw).toContain('"response.failed"');
  expect(raw.endsWith('data: [DONE]\n\n')).toBe(true);
}

/** Waits until a part has ended by itself, well, and the gateway answers turns again. */
async function endsWell(gateway: Parley, part: PartName): Promise<void> {
  const death = await waitFor(async () => (await deathsOf(gateway)).find((one) => one.part === part), { everyMs: 100 });
  expect(death).toMatchObject({ code: 0, signal: null });
  await waitFor(async () => (await ask(gateway, { say: 'say again' })).status === 200, { everyMs: 100 });
}
