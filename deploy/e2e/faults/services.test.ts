import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said, stream } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { parseStream, readUntil } from '../harness/event-stream.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Ledger } from '../harness/ledger.ts';
import { oneGateway } from '../harness/one-gateway.ts';
import { type Gateway } from '../harness/parley.ts';
import { killPart, type PartName } from '../harness/parts.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant } from '../harness/tenant.ts';
import { type TurnResult } from '../harness/turn-result.ts';
import { usageOf } from '../harness/usage.ts';
import { WHOLE_MS } from '../harness/whole.ts';

/** Without an internal service a client hears so at once, and long before its turn would be out of time (ten minutes). */
const TOLD_MS = 30_000;
const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' };

describe('a service that is killed', () => {
  const gateway = oneGateway({ topology: 'separate' });
  const sandbox = new Sandbox(gateway);

  const recovers = () =>
    waitFor(async () => (await ask(gateway(), { say: 'say again' })).status === 200, { timeoutMs: WHOLE_MS, everyMs: 50 });

  /** Opens streams that would go on for minutes, and kills a part once all of them have begun. */
  async function killUnder(part: PartName, ledger: Ledger): Promise<TurnResult[]> {
    await sandbox.setPace(100);
    try {
      const listening = Array.from({ length: 10 }, () => ledger.turn({ words: 3_000 }));
      await waitFor(async () => (await ledger.record()).length === 10);
      // Long answers are kept about once a second: from then on a crash loses no more than that.
      await waitFor(async () => (await partialsOf(gateway(), ledger)) === 10);
      await killPart(gateway(), part);
      return await Promise.all(listening);
    } finally {
      await sandbox.setPace(0);
    }
  }

  it('ends the streams of chat-routing with an error, refuses new turns at once, and leaves no turn open', async () => {
    const ledger = new Ledger(gateway, await makeTenant(gateway));
    const ending = killUnder('chat-routing', ledger);
    const refused = await waitFor(async () =>
      [await ask(gateway(), { say: 'say now', signal: AbortSignal.timeout(TOLD_MS) })].find(({ status }) => status !== 200),
    );
    expectRefusal(refused, UNAVAILABLE);
    for (const { outcome, code, raw } of await ending) {
      expect({ outcome, code }).toEqual({ outcome: 'failed', code: 'SERVICE_UNAVAILABLE' });
      const { chunks, data } = parseStream(raw);
      expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'error' }], lifecycle_event: { type: 'response.failed' } });
      expect(data.at(-1)).toBe('[DONE]');
    }
    await recovers();
    await ledger.reconcile();
    expect((await ledger.record()).map(({ status }) => status)).toEqual(Array<string>(10).fill('interrupted'));
  });

  it('keeps what clients of a killed edge had of their answers, and counts them once', async () => {
    const ledger = new Ledger(gateway, await makeTenant(gateway));
    for (const { outcome, message } of await killUnder('edge', ledger)) {
      expect(outcome).toBe('broken');
      expect(message).toBeDefined();
    }
    await recovers();
    await ledger.reconcile();
    const record = await ledger.record();
    expect(record).toHaveLength(10);
    for (const { text } of record) expect(text).toMatch(/ 1 2 3/);
  });

  it('refuses turns while conversation is away, and loses none that was acknowledged', async () => {
    const ledger = new Ledger(gateway, await makeTenant(gateway));
    const { conversation = '' } = await ledger.turn();
    await killPart(gateway(), 'conversation');
    const refused = await waitFor(async () =>
      [await ledger.turn({ signal: AbortSignal.timeout(TOLD_MS) })].find(({ status }) => status !== 200),
    );
    expect(refused).toMatchObject({ outcome: 'refused', ...UNAVAILABLE });
    await recovers();
    expect(await ledger.turn({ conversation })).toMatchObject({ outcome: 'completed' });
    await ledger.reconcile();
  });

  it('answers chat without usage, which misses nothing of it', async () => {
    const tenant = await makeTenant(gateway);
    const ledger = new Ledger(gateway, tenant);
    await killPart(gateway(), 'usage');
    for (let turns = 0; turns < 10; turns++) expect(await ledger.turn()).toMatchObject({ outcome: 'completed' });
    await ledger.reconcile();
    expect(await usageOf(gateway(), tenant.apiKey)).toMatchObject({ total_requests: 10, successful: 10 });
  });

  it('goes on with a conversation whose turn was cut off by the crash', async () => {
    const { apiKey: key } = await makeTenant(gateway);
    const { conversation } = said(await ask(gateway(), { key, say: 'remember the blue door' }));
    await sandbox.setPace(20);
    const { reader } = await readUntil(await stream(gateway(), { key, conversation, say: 'count to 1000' }), (raw) => raw.includes('" 3"'));
    await killPart(gateway(), 'chat-routing');
    await sandbox.setPace(0);
    await reader.cancel();
    const recalled = await waitFor(async () =>
      [await ask(gateway(), { key, conversation, say: 'what did I ask you to remember?' })].find(({ status }) => status === 200),
    );
    expect(said(recalled).text).toContain('the blue door');
    expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
  });
});

/** How many of its turns have a text kept that goes beyond the first words. */
async function partialsOf(gateway: Gateway, ledger: Ledger): Promise<number> {
  const messages = (await ledger.record()).map(({ message }) => message);
  const rows = await query(
    gateway,
    `SELECT p.turn_id FROM conversation.turn_partials p JOIN conversation.turns t ON t.id = p.turn_id
      WHERE t.assistant_message_id = ANY ($1) AND p.text LIKE '% 1 2 3%'`,
    [messages],
  );
  return rows.length;
}
