import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Browser } from '../../../edge/test/oidc-browser.ts';
import { startOidcProvider } from '../../../edge/test/oidc-provider.ts';
import { Operator } from '../harness/operator.ts';
import { makeTenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

describe('people of an OpenID Connect provider', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);

    it('sign in with the roles of their groups, once an admin has added it', async () => {
      const { url } = gateway();
      const { workspaceId } = await makeTenant(gateway, []);
      const slug = `company-${randomUUID().slice(0, 8)}`;
      await using provider = await startOidcProvider({ origin: url, slug });
      provider.people.set('ada', { name: 'Ada', groups: ['staff'] });
      const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
      const scopes = ['openid', 'profile', 'groups'];
      const role_mappings = [{ group: 'staff', workspace_id: workspaceId, workspace_role: 'member' }];
      const rules = { group_claim: 'groups', role_mappings, allow_sign_up: true };
      const added = await operator.call('POST', '/oidc-providers', {
        slug,
        name: 'Company',
        issuer,
        client_id,
        client_secret,
        scopes,
        ...rules,
      });
      expect([added.status, added.text.includes(client_secret)]).toEqual([201, false]);
      const { id } = added.json as { id: string };
      expect((await operator.call('POST', `/oidc-providers/${id}/test`)).json).toMatchObject({ ok: true, keys: 1 });

      const browser = new Browser({ accept: 'text/html' });
      const begin = `${url}/me/v1/sign-in/oidc/${slug}?return_to=/console/keys`;
      const callback = await browser.until(begin, `${url}/me/v1/sign-in/oidc/${slug}/callback`);
      expect(await browser.next(callback)).toBe(`${url}/console/keys`);
      const session: unknown = await (await browser.get(`${url}/me/v1/session`)).json();
      expect(session).toMatchObject({
        user: { display_name: 'Ada' },
        rights: { instance_role: null, memberships: [{ workspace_id: workspaceId, role: 'member' }] },
        method: 'oidc',
      });
      const identities: unknown = await (await browser.get(`${url}/me/v1/identities`)).json();
      expect(identities).toEqual([expect.objectContaining({ provider: { slug, name: 'Company' }, issuer, subject: 'ada' })]);

      expect((await operator.call('DELETE', `/oidc-providers/${id}`)).status).toBe(204);
      expect(await browser.next(begin)).toMatch(`${url}/console/sign-in?error=not_found&request_id=`);
    });
  });
});
