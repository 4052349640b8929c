import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said, stream } from '../harness/chat.ts';
import { readUntil } from '../harness/event-stream.ts';
import { Ledger } from '../harness/ledger.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { usageOf } from '../harness/usage.ts';

const LONG = 'count to 10000';

describe('a client that leaves', () => {
  inBothTopologies((gateway) => {
    const sandbox = new Sandbox(gateway);

    it.each([
      ['streamed', true],
      ['whole', false],
    ])('closes a stateless upstream, and what arrived is recorded once (%s)', async (_mode, isStream) => {
      const tenant = await makeTenant(gateway, ['openai-compatible']);
      const account = onlyAccount(tenant);
      await sandbox.paced(20, async () => {
        await leaveMidway(tenant.apiKey, isStream, async () => (await account.report()).open_streams > 0);
        await waitFor(async () => (await account.report()).aborted_connections === 1, { everyMs: 5 });
      });
      const [turn] = await recordOf(tenant);
      expect(turn).toMatchObject({ status: 'interrupted', text: isStream ? expect.stringMatching(/^1 2 3/) : '' });
      expect((await account.report()).open_streams).toBe(0);
      await waitFor(async () => (await usageOf(gateway(), tenant.apiKey)).total_requests === 1);
    });

    it.each([
      ['streamed', true],
      ['whole', false],
    ])('stops a stateful upstream, and the conversation goes on from there (%s)', async (_mode, isStream) => {
      const tenant = await makeTenant(gateway);
      const account = onlyAccount(tenant);
      const { conversation } = said(await ask(gateway(), { key: tenant.apiKey, say: 'remember the blue door' }));
      await sandbox.paced(20, async () => {
        await leaveMidway(tenant.apiKey, isStream, async () => (await account.report()).turns_accepted === 2, conversation);
        await recordOf(tenant, 2);
      });
      const [upstream] = (await account.report()).conversations;
      const kept = (await sandbox.messages(account, upstream?.id ?? '')).at(-1);
      expect(kept).toMatchObject({ role: 'assistant', finish_reason: 'stopped' });
      const turn = (await recordOf(tenant, 2)).find(({ status }) => status === 'interrupted');
      expect(turn?.text).toBe(kept?.content);
      await waitFor(async () => (await usageOf(gateway(), tenant.apiKey)).total_requests === 2);
      const recalled = await ask(gateway(), { key: tenant.apiKey, conversation, say: 'what did I ask you to remember?' });
      expect(said(recalled).text).toContain('the blue door');
    });

    it('is counted once however many leave at the same time', async () => {
      const tenant = await makeTenant(gateway, ['openai-compatible']);
      const ledger = new Ledger(gateway, tenant);
      const record = await sandbox.paced(20, async () => {
        const leaving = Array.from({ length: 30 }, async () => {
          const gone = new AbortController();
          const { reader } = await readUntil(await stream(gateway(), ledger.request(5_000, { signal: gone.signal })), (raw) =>
            raw.includes('" 1"'),
          );
          gone.abort();
          await reader.closed.catch(() => undefined);
        });
        await Promise.all([...leaving, ...Array.from({ length: 10 }, () => ledger.turn({ words: 20 }))]);
        // Without their pauses some answers would end before the gateway knows that their client has left.
        return waitFor(async () => [await ledger.record()].find((turns) => turns.every(({ status }) => status !== null)));
      });
      expect(record.map(({ status }) => status).sort()).toEqual([
        ...Array<string>(10).fill('completed'),
        ...Array<string>(30).fill('interrupted'),
      ]);
      const tokens = record.reduce((sum, { tokensOut }) => sum + tokensOut, 0);
      const usage = await waitFor(async () =>
        [await usageOf(gateway(), tenant.apiKey)].find(({ total_requests }) => total_requests === 40),
      );
      expect(usage).toMatchObject({ successful: 40, errors: 0, total_tokens_out: tokens });
    });

    /** Asks for a long answer and leaves as soon as the upstream gives it. */
    async function leaveMidway(key: string, isStream: boolean, isUnderWay: () => Promise<boolean>, conversation?: string): Promise<void> {
      const gone = new AbortController();
      const turn = { key, say: LONG, conversation, signal: gone.signal };
      if (isStream) {
        await readUntil(await stream(gateway(), turn), (raw) => raw.includes('" 3"'));
        gone.abort();
      } else {
        const asking = ask(gateway(), turn).catch(() => undefined);
        await waitFor(isUnderWay);
        gone.abort();
        await asking;
      }
    }

    function recordOf(tenant: Tenant, turns = 1) {
      const read = () => new Ledger(gateway, tenant).record();
      return waitFor(async () => [await read()].find((record) => record.filter(({ status }) => status !== null).length === turns));
    }
  });
});
