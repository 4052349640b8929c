import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readFile } from 'node:fs/promises';
import { stream } from './harness/chat.ts';
import { endedTurns } from './harness/database.ts';
import { readStream } from './harness/event-stream.ts';
import { FloodUpstream, type Flow, floodText } from './harness/flood.ts';
import { LazyClient } from './harness/lazy-client.ts';
import { Operator } from './harness/operator.ts';
import { type Gateway } from './harness/parley.ts';
import { makeTenant, type Tenant } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const MIB = 1_024 * 1_024;
/** What the buffers of the system (up to 4 MiB to send and 6 MiB to receive, at two hops) and our windows hold of one answer at most. */
const IN_BETWEEN = 21 * MIB;
/** Streams at once that no client reads. */
const MANY = 20;
/** Memory that a process may gain meanwhile. Without an end to what is buffered the upstream fills a gigabyte within seconds. */
const GAIN = 150 * MIB;
/** What a slow client reads at a time. The gateway sees progress only once the buffers in between have room again: some MiB must be read within its time-out. */
const SLOWLY = 64 * 1_024;
const STALLED = { PARLEY_STALLED_CLIENT_TIMEOUT: '6s' };

inBothTopologies(
  (gateway) => {
    let upstream: FloodUpstream;
    let tenant: Tenant;
    const clients: LazyClient[] = [];
    beforeAll(async () => {
      upstream = await new FloodUpstream().listen();
      tenant = await makeTenant(gateway, []);
      const { workspaceId: workspace_id } = tenant;
      await new Operator(gateway).connect({ provider: 'openai-compatible', label: 'flood', base_url: upstream.url, workspace_id });
    });
    afterEach(() => {
      for (const client of clients.splice(0)) client.close();
      upstream.flows.length = 0;
    });
    afterAll(() => upstream.close());

    const flood = (): LazyClient => {
      const client = new LazyClient(gateway(), tenant.apiKey, 'flood');
      clients.push(client);
      return client;
    };
    const flowing = (count: number) => waitFor(() => upstream.flows.length === count && upstream.flows);

    it('stops the upstream of a client that stops reading, cuts it off in the end, and records what arrived', async () => {
      const client = flood();
      const [flow] = (await flowing(1)) as [Flow];
      await stopped(flow);
      expect(flow.taken()).toBeLessThan(IN_BETWEEN);
      await waitFor(() => flow.isClosed());
      await waitFor(() => (client.read(MIB), client.isOver), { everyMs: 5 });
      expect(client.text).not.toContain('[DONE]');

      const conversation = client.conversation ?? '';
      const turn = await waitFor(async () => (await endedTurns(gateway(), conversation))[0]);
      expect(turn).toMatchObject({ status: 'interrupted', error_condition: null });
      const { text } = turn;
      expect(text.length).toBeGreaterThan(64 * 1_024);
      expect(text === floodText(Math.ceil(text.length / 1_024)).slice(0, text.length)).toBe(true);
    });

    it('keeps memory flat and others served while many clients do not read', async () => {
      const before = await memoryOf(gateway());
      for (let n = 0; n < MANY; n++) flood();
      await flowing(MANY);
      // A machine that is busy with other tests may have a turn refused, and asked again as clients do.
      const served = async () => {
        const answer = await stream(gateway(), { key: tenant.apiKey, say: 'anything else' });
        return answer.status === 503 ? void (await answer.text()) : readStream(answer);
      };
      for (let n = 0; n < 20; n++) expect((await waitFor(served)).text).toBe('shortly');
      for (const flow of upstream.flows) expect(flow.taken()).toBeLessThan(IN_BETWEEN);
      for (const [name, bytes] of await memoryOf(gateway()))
        expect([name, bytes - (before.get(name) ?? bytes) < GAIN]).toEqual([name, true]);
      await waitFor(() => upstream.flows.every((flow) => flow.isClosed()));
    });

    it('gives a slow client all of it, in order, no faster than it reads', async () => {
      const client = flood();
      const [flow] = (await flowing(1)) as [Flow];
      let ahead = 0;
      await waitFor(
        () => {
          client.read(SLOWLY);
          ahead = Math.max(ahead, flow.taken() - client.length);
          if (client.isOver) throw new Error('the slow client was cut off');
          return client.length > 3 * MIB;
        },
        { everyMs: 10 },
      );
      expect(ahead).toBeLessThan(IN_BETWEEN);
      expect(client.isOver).toBe(false);
      const numbers = [...client.text.matchAll(/"content":"(\d+) x/g)].map(([, number]) => Number(number));
      expect(numbers.length).toBeGreaterThan(1_000);
      expect(numbers.every((number, index) => number === index)).toBe(true);
    });
  },
  { env: STALLED },
);

/** Waits until the upstream is let write no more. */
async function stopped(flow: Flow): Promise<void> {
  let [before, quiet] = [-1, 0];
  await waitFor(
    () => {
      quiet = flow.taken() === before && before > 0 ? quiet + 1 : 0;
      before = flow.taken();
      return quiet === 10;
    },
    { everyMs: 100 },
  );
}

/** Resident memory of the gateway's Node processes by what they run, in bytes. */
async function memoryOf(gateway: Gateway): Promise<Map<string, number>> {
  const family = gateway.family().filter(({ commandLine }) => commandLine.includes('dist/'));
  const sizes = await Promise.all(
    family.map(async ({ pid, commandLine }) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return [commandLine, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024] as const;
    }),
  );
  return new Map(sizes);
}
