import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { adminToken } from '../../harness/admin-token.ts';
import { ask, said } from '../../harness/chat.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { Sandbox, type UpstreamChange } from '../../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { begin, connectionOf } from './health.ts';

const messageList = z.array(z.looseObject({ id: z.uuid(), role: z.string(), content: z.string() }));

describe('what happens to a conversation on the upstream’s side', () => {
  inBothTopologies((gateway) => {
    const sandbox = new Sandbox(gateway);
    const sync = ({ apiKey }: Tenant, id: string) => call(gateway(), 'POST', `/v1/conversations/${id}/sync`, { key: apiKey });
    const messagesOf = async ({ apiKey }: Tenant, id: string) =>
      messageList.parse((await call(gateway(), 'GET', `/v1/conversations/${id}/messages`, { key: apiKey })).json);
    const upstreamOf = async (tenant: Tenant) => (await onlyAccount(tenant).report()).conversations[0]?.id ?? '';

    it('a created conversation begins upstream with its first turn, which brings the whole array', async () => {
      const tenant = await makeTenant(gateway);
      const { key, account } = { key: tenant.apiKey, account: onlyAccount(tenant) };
      const created = await call(gateway(), 'POST', '/v1/conversations', { key, body: { upstream_account_id: account.connectionId } });
      expect(created.status).toBe(201);
      const { id } = z.object({ id: z.uuid() }).parse(created.json);
      expect((await account.report()).conversations).toEqual([]);
      const messages = [
        { role: 'user', content: 'remember red' },
        { role: 'assistant', content: 'I will.' },
        { role: 'user', content: 'what did I ask you to remember?' },
      ];
      const answer = said(await ask(gateway(), { key, conversation: id, body: { messages } }));
      expect(answer).toEqual({ text: 'You asked me to remember: red.', conversation: id });
      expect((await account.report()).conversations).toHaveLength(1);
      expect((await messagesOf(tenant, id)).map(({ content }) => content)).toEqual([
        ...messages.map(({ content }) => content),
        answer.text,
      ]);
      expect(said(await ask(gateway(), { key, conversation: id, say: 'how many messages' })).text).toContain('5');
    });

    it('sync brings what was added and changed, once, and the next turn goes on from there', async () => {
      const tenant = await makeTenant(gateway);
      const id = said(await ask(gateway(), { key: tenant.apiKey, say: 'remember red' })).conversation;
      const before = await messagesOf(tenant, id);
      const upstream = await upstreamOf(tenant);
      const [first] = await sandbox.messages(onlyAccount(tenant), upstream);
      await sandbox.edit(upstream, first?.id ?? '', 'remember blue');
      await sandbox.append(upstream, 'user', 'remember green');
      expect(await sync(tenant, id)).toMatchObject({ status: 200, json: { id, continuity_status: 'available', message_count: 3 } });
      const after = await messagesOf(tenant, id);
      expect(after.map(({ content }) => content)).toEqual(['remember blue', before[1]?.content, 'remember green']);
      expect(after.slice(0, 2).map((message) => message.id)).toEqual(before.map((message) => message.id));
      await sync(tenant, id);
      expect(await messagesOf(tenant, id)).toEqual(after);
      const asked = await ask(gateway(), { key: tenant.apiKey, conversation: id, say: 'what did I ask you to remember?' });
      expect(said(asked).text).toBe('You asked me to remember: blue; green.');
    });

    it.each<[UpstreamChange, string, number]>([
      ['delete', 'deleted_upstream', 410],
      ['lose-access', 'access_lost', 403],
      ['break-chain', 'continuity_lost', 409],
    ])('sync finds out about %s, and about its end', async (change, continuity, status) => {
      const tenant = await makeTenant(gateway);
      const conversation = await begin(gateway(), tenant);
      await sandbox.change(await upstreamOf(tenant), change);
      expect(await sync(tenant, conversation)).toMatchObject({ status: 200, json: { continuity_status: continuity } });
      expect(await ask(gateway(), { key: tenant.apiKey, conversation })).toMatchObject({ status });
      await sandbox.change(await upstreamOf(tenant), 'restore');
      expect(await sync(tenant, conversation)).toMatchObject({ status: 200, json: { continuity_status: 'available' } });
      expect(said(await ask(gateway(), { key: tenant.apiKey, conversation, say: 'say here' })).text).toBe('here');
    });

    it('sync finds an expired session, and changes nothing where the upstream cannot be asked', async () => {
      const tenant = await makeTenant(gateway);
      const account = onlyAccount(tenant);
      const conversation = await begin(gateway(), tenant);
      const messages = await messagesOf(tenant, conversation);
      await account.order({ fault: 'server_error' });
      expectRefusal(await sync(tenant, conversation), { status: 502, code: 'PROVIDER_UNAVAILABLE' });
      expect(await messagesOf(tenant, conversation)).toEqual(messages);
      await sandbox.expireSessions(account.id);
      expect(await sync(tenant, conversation)).toMatchObject({ status: 200, json: { continuity_status: 'session_expired' } });
      expect(await connectionOf(gateway(), tenant, account.label)).toMatchObject({ status: 'expired', health: 'unhealthy' });
      expectRefusal(await ask(gateway(), { key: tenant.apiKey, conversation }), { status: 419, code: 'CONVERSATION_SESSION_EXPIRED' });
    });

    it('sync does not run beside a turn', async () => {
      const tenant = await makeTenant(gateway);
      const conversation = await begin(gateway(), tenant);
      await sandbox.paced(50, async () => {
        const turn = ask(gateway(), { key: tenant.apiKey, conversation, say: 'count to 40' });
        await waitFor(async () => (await onlyAccount(tenant).report()).open_streams > 0);
        expectRefusal(await sync(tenant, conversation), { status: 409, code: 'CONVERSATION_BUSY' });
        await sandbox.setPace(0);
        said(await turn);
      });
      expect((await sync(tenant, conversation)).status).toBe(200);
    });

    it('an imported conversation goes on where it ended elsewhere, and is exported whole', async () => {
      const tenant = await makeTenant(gateway);
      const messages = [
        { role: 'user', content: 'remember red' },
        { role: 'assistant', content: 'I will.' },
      ];
      const body = { key_id: tenant.keyId, title: 'Old', messages };
      const imported = await call(gateway(), 'POST', '/admin/v1/conversations/import', { key: await adminToken(gateway()), body });
      expect(imported).toMatchObject({ status: 201, json: { title: 'Old' } });
      const { id } = z.object({ id: z.uuid() }).parse(imported.json);
      const conversation = { key: tenant.apiKey, conversation: id };
      const asked = said(await ask(gateway(), { ...conversation, say: 'what did I ask you to remember?' }));
      expect(asked.text).toBe('You asked me to remember: red.');
      const path = `/admin/v1/conversations/${id}/export?key_id=${tenant.keyId}`;
      const exported = await call(gateway(), 'GET', path, { key: await adminToken(gateway()) });
      const read = z
        .object({ messages: messageList })
        .parse(exported.json)
        .messages.map(({ role, content }) => ({ role, content }));
      expect(read).toEqual([
        ...messages,
        { role: 'user', content: 'what did I ask you to remember?' },
        { role: 'assistant', content: asked.text },
      ]);
    });
  });
});
