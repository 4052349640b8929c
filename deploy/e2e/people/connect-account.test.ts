import { describe, expect, it } from '@jest/globals';
import { ask, said } from '../harness/chat.ts';
import { Connecting, toFlow } from '../harness/connecting.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { makePerson } from '../harness/person.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

const GONE = { status: 404, code: 'CONNECT_FLOW_NOT_FOUND' };

describe('an account that a person connects', () => {
  inBothTopologies((gateway) => {
    it('asks for a code and a second factor, answers turns, and is reconnected with all that is bound to it', async () => {
      const { workspaceId, apiKey: key } = await makeTenant(gateway, []);
      const connecting = await Connecting.prepare(gateway, workspaceId);
      const { kinds, done } = await connecting.finish(toFlow(await connecting.begin({ provider: 'sandbox', label: 'mine' })));
      expect(kinds).toEqual(['password', 'one_time_code', 'choice', 'one_time_code', 'done']);
      expect(done).toMatchObject({ status: 'done', connection: { label: 'mine', status: 'active' } });
      const { conversation } = said(await ask(gateway(), { key, say: 'remember the blue door' }));

      await new Sandbox(gateway).expireSessions(connecting.account);
      expectRefusal(await ask(gateway(), { key, conversation, say: 'say here' }), { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' });
      const connection_id = done.connection?.id ?? '';
      const again = await connecting.finish(toFlow(await connecting.begin({ connection_id })));
      expect(again.done).toMatchObject({
        status: 'done',
        connection_id,
        connection: { id: connection_id, label: 'mine', status: 'active' },
      });
      const recalled = await ask(gateway(), { key, conversation, say: 'what did I ask you to remember?' });
      expect(said(recalled).text).toContain('the blue door');
    });

    it('is the account of Carol that npm start has, with the codes on her devices', async () => {
      const { workspaceId } = await makeTenant(gateway, []);
      const connecting = await Connecting.ofCarol(gateway, workspaceId);
      const { kinds, done } = await connecting.finish(toFlow(await connecting.begin()));
      expect(kinds).toEqual(['password', 'one_time_code', 'choice', 'one_time_code', 'done']);
      expect(done).toMatchObject({ status: 'done', connection: { status: 'active' } });
    });

    it('is hidden from others: another user, another workspace, and a member', async () => {
      const [mine, theirs] = [await makeTenant(gateway, []), await makeTenant(gateway, [])];
      const connecting = await Connecting.prepare(gateway, mine.workspaceId);
      const begun = toFlow(await connecting.begin());
      const admin = await makePerson(gateway(), { roles: { [mine.workspaceId]: 'admin', [theirs.workspaceId]: 'admin' } });
      expectRefusal(await admin.call('GET', connecting.path(begun.id)), GONE);
      expectRefusal(await connecting.answer(begun, { account: connecting.account, password: connecting.password }, admin), GONE);
      const elsewhere = connecting.path(begun.id).replace(mine.workspaceId, theirs.workspaceId);
      expectRefusal(await connecting.person.call('GET', elsewhere), { status: 403, code: 'PERMISSION_DENIED' });
      const member = await makePerson(gateway(), { roles: { [mine.workspaceId]: 'member' } });
      expectRefusal(await member.call('GET', connecting.path(begun.id)), { status: 403, code: 'PERMISSION_DENIED' });
      expect((await connecting.person.call('DELETE', connecting.path(begun.id))).status).toBe(204);
      expectRefusal(await connecting.person.call('GET', connecting.path(begun.id)), GONE);
    });
  });
});
