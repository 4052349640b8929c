import { expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { getMessage, listAssets, settled, storedFiles } from '../../harness/assets.ts';
import { ask, said } from '../../harness/chat.ts';
import { query } from '../../harness/database.ts';
import { call } from '../../harness/http.ts';
import { START_MS, startParley, STOP_MS } from '../../harness/parley.ts';
import { killPart, partOf } from '../../harness/parts.ts';
import { allConsumed, sendAgain } from '../../harness/send-again.ts';
import { makeTenant, onlyAccount } from '../../harness/tenant.ts';
import { attach, type Uploader } from '../../harness/upload.ts';

const TURNS = 5;
const TIMES = 3;

it(
  'makes, fetches and tells of every asset once, however often its events come',
  async () => {
    const gateway = await startParley({ topology: 'separate' });
    try {
      const tenant = await makeTenant(() => gateway);
      const me: Uploader = { gateway, key: tenant.apiKey };
      const conversations: string[] = [];
      for (let turn = 0; turn < TURNS; turn++)
        conversations.push(said(await ask(gateway, { key: me.key, say: 'draw a red circle and make a CSV of the planets' })).conversation);
      const [first = ''] = conversations;
      await attach(me, first, { name: 'notes.txt', bytes: Buffer.from('a note\n'), type: 'text/plain' });
      for (const conversation of conversations) for (const { id } of await listAssets(me, conversation)) await settled(me, id);
      // What is gone stays gone, too.
      const deleted = conversations.pop();
      expect((await call(gateway, 'DELETE', `/v1/conversations/${deleted}`, { key: me.key })).status).toBeLessThan(300);
      await waitFor(async () => (await storedFiles(gateway)).length === 2 * (TURNS - 1) + 1);
      await allConsumed(gateway);
      const shown = async () => ({
        assets: await Promise.all(conversations.map((conversation) => listAssets(me, conversation))),
        messages: await messagesOf(me, conversations),
        files: (await storedFiles(gateway)).sort(),
        fetched: (await onlyAccount(tenant).report()).artifacts.map(({ downloads }) => downloads),
      });
      const before = await shown();
      expect(before.fetched).toEqual(Array<number>(2 * TURNS).fill(1));
      expect(before.messages.every(({ status }) => status === 'completed')).toBe(true);

      const sent = await sendAgain(gateway, TIMES, async () => {
        for (const part of ['asset', 'conversation'] as const) await partOf(gateway, part, await killPart(gateway, part));
      });
      expect(sent).toBeGreaterThanOrEqual(TIMES * TURNS);
      await allConsumed(gateway);
      await waitFor(async () => (await ask(gateway, { key: me.key })).status === 200);
      expect(await shown()).toEqual(before);
    } finally {
      await gateway.dispose();
    }
  },
  START_MS + STOP_MS + 120_000,
);

async function messagesOf(me: Uploader, conversations: readonly string[]) {
  const rows = await query<{ id: string }>(
    me.gateway,
    `SELECT id FROM conversation.messages WHERE conversation_id = ANY ($1) AND role = 'assistant' ORDER BY id`,
    [conversations],
  );
  return Promise.all(rows.map(({ id }) => getMessage(me, id)));
}
