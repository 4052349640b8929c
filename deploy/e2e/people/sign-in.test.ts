import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { expectRefusal } from '../harness/expectations.ts';
import { Operator } from '../harness/operator.ts';
import { makeTenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { Visitor } from '../harness/visitor.ts';

const PASSWORD = 'four quiet harbour lamps';
const NEXT = 'five loud mountain trains';
const link = z.looseObject({ url: z.string() });

describe('a person', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    const tokenOf = (json: unknown) => new URL(link.parse(json).url).hash.slice(1);

    it('is invited, signs in and out, changes the password, and gets a new one by a link', async () => {
      const { workspaceId } = await makeTenant(gateway, []);
      const email = `${randomUUID()}@example.com`;
      const invited = await operator.call('POST', '/invitations', { email, workspace_id: workspaceId, workspace_role: 'member' });
      const token = tokenOf(invited.json);
      expect(link.parse(invited.json).url).toMatch(`${gateway().url}/console/invitation#`);

      const ada = new Visitor(gateway());
      expect((await ada.call('POST', '/invitations/inspect', { token })).json).toMatchObject({ email, has_account: false });
      const accepted = await ada.call('POST', '/invitations/accept', { token, display_name: 'Ada', password: PASSWORD });
      const rights = { instance_role: null, memberships: [{ workspace_id: workspaceId, role: 'member' }] };
      expect([accepted.status, accepted.json]).toEqual([200, expect.objectContaining({ rights, method: 'invitation' })]);

      expect((await ada.call('PATCH', '/profile', { display_name: 'Ada Lovelace' })).json).toMatchObject({ display_name: 'Ada Lovelace' });
      expect((await ada.call('POST', '/password', { old_password: PASSWORD, new_password: NEXT })).status).toBe(200);
      const elsewhere = new Visitor(gateway());
      expectRefusal(await elsewhere.call('POST', '/sign-in', { email, password: PASSWORD }), { status: 401, code: 'SIGN_IN_FAILED' });
      expect((await elsewhere.call('POST', '/sign-in', { email, password: NEXT })).status).toBe(200);
      expect((await ada.call('GET', '/sessions')).json).toHaveLength(2);
      expect((await ada.call('DELETE', '/sessions')).status).toBe(204);
      expectRefusal(await elsewhere.call('GET', '/session'), { status: 401, code: 'SIGN_IN_REQUIRED' });
      expect((await ada.call('POST', '/sign-out')).json).toEqual({ sign_out_url: null });
      expectRefusal(await ada.call('GET', '/session'), { status: 401, code: 'SIGN_IN_REQUIRED' });

      const { id } = z.looseObject({ user: z.object({ id: z.string() }) }).parse(accepted.json).user;
      const reset = tokenOf((await operator.call('POST', `/users/${id}/reset-link`)).json);
      expect((await ada.call('POST', '/password/reset', { token: reset, password: PASSWORD })).status).toBe(204);
      expect((await ada.call('POST', '/sign-in', { email, password: PASSWORD })).status).toBe(200);
      expect((await ada.call('GET', '/profile')).json).toMatchObject({ email, has_password: true });
      for (const secret of [PASSWORD, NEXT, token, reset]) expect(await gateway().log()).not.toContain(secret);
    });
  });
});
