import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said } from '../../harness/chat.ts';
import { query } from '../../harness/database.ts';
import { expectRefusal, type Refusal } from '../../harness/expectations.ts';
import { Sandbox, type UpstreamChange } from '../../harness/sandbox.ts';
import { makeTenant, onlyAccount } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { begin, connectionOf } from './health.ts';

describe('what the upstream says of one conversation or one request', () => {
  inBothTopologies((gateway) => {
    const sandbox = new Sandbox(gateway);

    it.each<[UpstreamChange, Refusal, string]>([
      ['delete', { status: 410, code: 'CONVERSATION_DELETED_UPSTREAM' }, 'deleted_upstream'],
      ['break-chain', { status: 409, code: 'CONVERSATION_CONTINUITY_LOST' }, 'continuity_lost'],
      ['lose-access', { status: 403, code: 'CONVERSATION_ACCESS_LOST' }, 'access_lost'],
    ])('a conversation lost upstream (%s) stays lost, and the account stays healthy', async (change, refusal, status) => {
      const tenant = await makeTenant(gateway);
      const account = onlyAccount(tenant);
      const conversation = await begin(gateway(), tenant);
      const [upstream] = (await account.report()).conversations;
      await sandbox.change(upstream?.id ?? '', change);
      expectRefusal(await ask(gateway(), { key: tenant.apiKey, conversation }), refusal);
      const known = async () =>
        (
          await query<{ continuity_status: string }>(gateway(), 'SELECT continuity_status FROM conversation.conversations WHERE id = $1', [
            conversation,
          ])
        )[0];
      await waitFor(async () => (await known())?.continuity_status === status);
      await sandbox.change(upstream?.id ?? '', 'restore');
      expectRefusal(await ask(gateway(), { key: tenant.apiKey, conversation }), refusal);
      expect(await connectionOf(gateway(), tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
      expect(said(await ask(gateway(), { key: tenant.apiKey, say: 'say new' })).text).toBe('new');
    });

    it('a session that the upstream ended is the same as an expired one', async () => {
      const tenant = await makeTenant(gateway);
      const { id, label } = onlyAccount(tenant);
      const conversation = await begin(gateway(), tenant);
      await sandbox.expireSessions(id);
      expectRefusal(await ask(gateway(), { key: tenant.apiKey, conversation }), { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' });
      expect(await connectionOf(gateway(), tenant, label)).toMatchObject({ status: 'expired', health: 'unhealthy' });
    });

    it('a refused image leaves the account as it was', async () => {
      const tenant = await makeTenant(gateway);
      const account = onlyAccount(tenant);
      await begin(gateway(), tenant);
      await account.order({ fault: 'image_refused', count: 6 });
      for (let refusals = 0; refusals < 6; refusals++) {
        expectRefusal(await ask(gateway(), { key: tenant.apiKey, say: 'draw a cat' }), {
          status: 503,
          code: 'IMAGE_GENERATION_UNAVAILABLE',
        });
      }
      expect(await connectionOf(gateway(), tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
    });

    it('an account whose tier is too low is not an expired session', async () => {
      const tenant = await makeTenant(gateway);
      const account = onlyAccount(tenant);
      await begin(gateway(), tenant);
      await account.order({ fault: 'upgrade_required' });
      const answer = await ask(gateway(), { key: tenant.apiKey });
      expectRefusal(answer, { status: 403, code: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' });
      expect(await connectionOf(gateway(), tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
    });
  });
});
