import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ask, said } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

const messages = z.array(z.looseObject({ id: z.string(), role: z.string(), content: z.string() }));
type Messages = z.infer<typeof messages>;

describe('a sync pulls what changed upstream', () => {
  inBothTopologies((house) => {
    const sandbox = new Sandbox(house);

    it('messages that were added and edited there come over once, and ids stay', async () => {
      const tenant = await makeTenant(house);
      const account = onlyAccount(tenant);
      const key = tenant.apiKey;
      const { conversation } = said(await ask(house(), { key, say: 'remember the blue door' }));
      const path = `/v1/conversations/${conversation}`;
      const read = async () => messages.parse((await call(house(), 'GET', `${path}/messages`, { key })).json);
      const sync = () => call(house(), 'POST', `${path}/sync`, { key });
      const [upstream = { id: '' }] = (await account.report()).conversations;
      const before = await read();

      await sandbox.append(upstream.id, 'user', 'and a red window');
      await sandbox.append(upstream.id, 'assistant', 'noted');
      expect(await sync()).toMatchObject({ status: 200, json: { continuity_status: 'available', message_count: 4 } });
      const added = await read();
      expect(added.slice(0, 2)).toEqual(before);
      expect(contents(added.slice(2))).toEqual(['and a red window', 'noted']);

      expect((await sync()).status).toBe(200);
      expect(await read()).toEqual(added);

      const [first = { id: '' }] = (await sandbox.messages(account, upstream.id)).filter(({ role }) => role === 'user');
      await sandbox.edit(upstream.id, first.id, 'remember the green door');
      expect((await sync()).status).toBe(200);
      const edited = await read();
      expect(edited.map(({ id }) => id)).toEqual(added.map(({ id }) => id));
      expect(contents(edited)[0]).toBe('remember the green door');

      expect(said(await ask(house(), { key, conversation, say: 'say on' })).text).toBe('on');
      expect(await read()).toHaveLength(6);
    });

    it('a provider that keeps nothing has nothing to pull', async () => {
      const tenant = await makeTenant(house, ['openai-compatible']);
      const key = tenant.apiKey;
      const { conversation } = said(await ask(house(), { key, say: 'hello' }));
      const { status, json } = await call(house(), 'POST', `/v1/conversations/${conversation}/sync`, { key });
      expect({ status, json }).toMatchObject({ status: 200, json: { continuity_status: 'available', message_count: 2 } });
    });
  });
});

function contents(list: Messages): string[] {
  return list.map(({ content }) => content);
}
