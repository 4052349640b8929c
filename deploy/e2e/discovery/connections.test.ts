import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { ask } from '../harness/chat.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { spoilAccount } from '../harness/spoil-account.ts';
import { connectAccount, makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

/** Every field of a connection in the OpenAPI document, and no other. */
const connection = z.strictObject({
  id: z.uuid(),
  label: z.string(),
  provider: z.string(),
  provider_family: z.string().nullable(),
  status: z.enum(['active', 'configured', 'disabled', 'expired', 'cooldown', 'rate_limited']),
  health: z.enum(['healthy', 'unhealthy', 'rate_limited', 'cooldown', 'unknown']),
  is_default: z.boolean(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  cooldown_seconds: z.int().optional(),
});

describe('connections as their workspace sees them', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    let tenant: Tenant;
    beforeEach(async () => {
      tenant = await makeTenant(gateway);
    });
    const list = async (query = '') => {
      const answer = await call(gateway(), 'GET', `/v1/connections${query}`, { key: tenant.apiKey });
      return { answer, found: z.array(connection).parse(answer.json) };
    };
    const only = async () => (await list()).found[0];

    it('are healthy once they are connected, and were used last with their last turn', async () => {
      expect(await only()).toMatchObject({ status: 'active', health: 'healthy', last_used_at: null, provider: 'sandbox' });
      const before = Date.now();
      expect((await ask(gateway(), { key: tenant.apiKey })).status).toBe(200);
      const used = await waitFor(async () => (await only())?.last_used_at);
      expect(Date.parse(used)).toBeGreaterThanOrEqual(before - 1_000);
    });

    it('count a cooldown down, and have none otherwise', async () => {
      expect(await only()).not.toHaveProperty('cooldown_seconds');
      await spoilAccount(gateway(), tenant, 'rate_limited');
      const first = (await only())?.cooldown_seconds ?? 0;
      expect(first).toBeGreaterThan(200);
      expect(first).toBeLessThanOrEqual(300);
      await waitFor(async () => ((await only())?.cooldown_seconds ?? first) < first);
      const { connectionId, password } = onlyAccount(tenant);
      await operator.updateConnection(connectionId, tenant.workspaceId, { password });
      await waitFor(async () => (await only())?.status === 'active');
      expect(await only()).not.toHaveProperty('cooldown_seconds');
    });

    it('are disabled and enabled by the operator', async () => {
      const { connectionId } = onlyAccount(tenant);
      await operator.updateConnection(connectionId, tenant.workspaceId, { enabled: false });
      await waitFor(async () => (await only())?.status === 'disabled');
      await operator.updateConnection(connectionId, tenant.workspaceId, { enabled: true });
      await waitFor(async () => (await only())?.status === 'active');
    });

    it('are found by provider and status, a page at a time', async () => {
      await connectAccount(gateway, tenant.workspaceId, 'openai-compatible');
      const first = onlyAccount({ ...tenant, accounts: tenant.accounts.slice(0, 1) });
      await operator.updateConnection(first.connectionId, tenant.workspaceId, { enabled: false });
      await waitFor(async () => (await list('?status=disabled')).found.length === 1);
      expect((await list('?provider=openai-compatible')).found).toMatchObject([{ provider: 'openai-compatible', status: 'active' }]);
      expect((await list('?provider=sandbox&status=active')).found).toEqual([]);
      const { answer, found } = await list('?limit=1');
      expect([found.length, answer.headers.get('x-total-count')]).toEqual([1, '2']);
      expect(answer.headers.get('link')).toContain('offset=1');
    });

    it.each(['status=asleep', 'limit=201', 'limit=0', 'offset=-1', 'limit=1&limit=2'])('refuse ?%s', async (query) => {
      const answer = await call(gateway(), 'GET', `/v1/connections?${query}`, { key: tenant.apiKey });
      expectRefusal(answer, { status: 422, code: 'VALIDATION_ERROR', param: query.slice(0, query.indexOf('=')) });
    });

    it('say nothing of secrets, addresses and other workspaces', async () => {
      const other = await makeTenant(gateway);
      const { answer, found } = await list();
      expect(found.map(({ id }) => id)).toEqual([onlyAccount(tenant).connectionId]);
      const { password, apiKey, id } = onlyAccount(tenant);
      for (const secret of [password, apiKey, id, gateway().run.sandbox_url, onlyAccount(other).label])
        expect(answer.text).not.toContain(secret);
    });
  });
});
