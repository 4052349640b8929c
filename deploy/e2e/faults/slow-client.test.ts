import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Flood, startFlood } from '../harness/endless-upstream.ts';
import { heldBytes } from '../harness/evaluate.ts';
import { Ledger } from '../harness/ledger.ts';
import { Operator } from '../harness/operator.ts';
import { type Gateway, type Topology } from '../harness/parley.ts';
import { partOf } from '../harness/parts.ts';
import { askAndStop, type SlowReader } from '../harness/slow-reader.ts';
import { makeTenant, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

const CLIENTS = 16;
/** What the edge may hold for a client that does not read, and for all of them together: the window of the connection they share. */
const HELD_PER_CLIENT = 256 * 1_024;
const HELD_TOGETHER = 8 * 1_024 * 1_024;
/** How long a client may take nothing, here. */
const STALLED_MS = 20_000;
/** Until all of them are closed: the system takes a little now and then, which begins the time anew. */
const CLOSED_MS = 150_000;
const READ_BYTES = 1_024 * 1_024;

describe('a client that reads slowly', () => {
  inBothTopologies(
    (gateway, topology) => {
      let flood: Flood;
      beforeAll(async () => void (flood = await startFlood()));
      afterAll(() => flood.close());

      it('costs little memory and disturbs no other client; one that reads nothing is closed after a while', async () => {
        const tenant = await floodedTenant();
        const others = new Ledger(gateway, await makeTenant(gateway));
        const flooded = new Ledger(gateway, tenant);
        // What the first streams leave behind for good is no matter of the slow ones.
        for (const reader of await stalledReaders(tenant, CLIENTS)) reader.close();
        await allEnded(flooded, CLIENTS);

        const before = await held(gateway(), topology);
        const readers = await stalledReaders(tenant, CLIENTS);
        // Backpressure reaches the upstream: it is not read any further for clients that do not read.
        await comesToRest(() => flood.sent);
        expect(flood.open).toBe(CLIENTS);
        expect((await held(gateway(), topology)) - before).toBeLessThanOrEqual(CLIENTS * HELD_PER_CLIENT + HELD_TOGETHER);
        for (let turns = 0; turns < 10; turns++) expect(await others.turn()).toMatchObject({ outcome: 'completed' });

        await waitFor(() => flood.open === 0, { timeoutMs: CLOSED_MS, everyMs: 100 });
        await waitFor(() => {
          for (const reader of readers) reader.read(READ_BYTES);
          return readers.every(({ isClosed }) => isClosed);
        });
        const record = await allEnded(flooded, 2 * CLIENTS);
        expect(new Set(record.map(({ status }) => status))).toEqual(new Set(['interrupted']));
        await others.reconcile();
      });

      async function floodedTenant(): Promise<Tenant> {
        const tenant = await makeTenant(gateway, []);
        await new Operator(gateway).connect({
          provider: 'openai-compatible',
          label: 'flood',
          workspace_id: tenant.workspaceId,
          base_url: flood.baseUrl,
        });
        return tenant;
      }

      function stalledReaders({ apiKey }: Tenant, count: number): Promise<SlowReader[]> {
        const body = { messages: [{ role: 'user', content: 'pour' }] };
        return Promise.all(Array.from({ length: count }, () => askAndStop(gateway(), apiKey, body)));
      }
    },
    { env: { PARLEY_STALLED_CLIENT_TIMEOUT: `${STALLED_MS}ms` } },
  );
});

/** Waits until so many turns have ended, and gives them. */
function allEnded(ledger: Ledger, turns: number) {
  const ended = async () => (await ledger.record()).filter(({ status }) => status !== null);
  return waitFor(async () => [await ended()].find(({ length }) => length === turns), { everyMs: 200 });
}

/** Bytes that the edge holds where it has a process of its own; elsewhere the answers so far, which are for the record, outweigh the rest. */
async function held(gateway: Gateway, topology: Topology): Promise<number> {
  return topology === 'separate' ? heldBytes((await partOf(gateway, 'edge')).pid) : 0;
}

/** Waits until a number that only grows has stopped growing. */
async function comesToRest(read: () => number): Promise<void> {
  let last = -1;
  await waitFor(
    () => {
      const rests = read() === last;
      last = read();
      return rests;
    },
    { everyMs: 500 },
  );
}
