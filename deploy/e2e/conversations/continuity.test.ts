import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { begin, clearAccount } from '../faults/upstream/health.ts';
import { ask, said } from '../harness/chat.ts';
import { expectRefusal, type Refusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { createProject } from '../harness/projects.ts';
import { Sandbox, type UpstreamChange } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

describe('the continuity of a conversation', () => {
  inBothTopologies((gateway) => {
    const sandbox = new Sandbox(gateway);
    const statusOf = async ({ apiKey }: Tenant, conversation: string) =>
      (await call(gateway(), 'GET', `/v1/conversations/${conversation}`, { key: apiKey })).json as { continuity_status: string };
    // Noted beside the answer, so that no client waits for it.
    const becomes = (tenant: Tenant, conversation: string, status: string) =>
      waitFor(async () => (await statusOf(tenant, conversation)).continuity_status === status);
    const sync = ({ apiKey }: Tenant, conversation: string) =>
      call(gateway(), 'POST', `/v1/conversations/${conversation}/sync`, { key: apiKey });
    const goOn = ({ apiKey }: Tenant, conversation: string) => ask(gateway(), { key: apiKey, conversation, say: 'say on' });

    it.each<[UpstreamChange, string, Refusal]>([
      ['delete', 'deleted_upstream', { status: 410, code: 'CONVERSATION_DELETED_UPSTREAM' }],
      ['lose-access', 'access_lost', { status: 403, code: 'CONVERSATION_ACCESS_LOST' }],
      ['break-chain', 'continuity_lost', { status: 409, code: 'CONVERSATION_CONTINUITY_LOST' }],
    ])('a sync finds what happened upstream (%s): %s, and a turn is refused with its code', async (change, status, refusal) => {
      const tenant = await makeTenant(gateway);
      const conversation = await begin(gateway(), tenant);
      expect(await statusOf(tenant, conversation)).toMatchObject({ continuity_status: 'available' });
      const [upstream] = (await onlyAccount(tenant).report()).conversations;
      await sandbox.change(upstream?.id ?? '', change);
      expect(await sync(tenant, conversation)).toMatchObject({ status: 200, json: { id: conversation, continuity_status: status } });
      expect(await statusOf(tenant, conversation)).toMatchObject({ continuity_status: status });
      expectRefusal(await goOn(tenant, conversation), refusal);
    });

    it('session_expired: 419, until the account is connected anew', async () => {
      const tenant = await makeTenant(gateway);
      const conversation = await begin(gateway(), tenant);
      await onlyAccount(tenant).order({ fault: 'session_expired' });
      expectRefusal(await goOn(tenant, conversation), { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' });
      expectRefusal(await goOn(tenant, conversation), { status: 419, code: 'CONVERSATION_SESSION_EXPIRED' });
      expect(await sync(tenant, conversation)).toMatchObject({ status: 200, json: { continuity_status: 'session_expired' } });
      await clearAccount(gateway(), tenant);
      expect(said(await goOn(tenant, conversation)).text).toBe('on');
      await becomes(tenant, conversation, 'available');
    });

    it('upstream_unavailable: 503 that may be retried, also of a sync', async () => {
      const tenant = await makeTenant(gateway);
      const conversation = await begin(gateway(), tenant);
      await onlyAccount(tenant).order({ fault: 'server_error', count: 20 });
      const refusal = { status: 503, code: 'CONVERSATION_UPSTREAM_UNAVAILABLE' };
      let refused = await goOn(tenant, conversation);
      for (let turns = 0; turns < 10 && refused.status === 502; turns++) refused = await goOn(tenant, conversation);
      expectRefusal(refused, refusal);
      expectRefusal(await sync(tenant, conversation), refusal);
      await becomes(tenant, conversation, 'upstream_unavailable');
    });

    it('project_unavailable: 409, once the project is deleted', async () => {
      const tenant = await makeTenant(gateway);
      const key = tenant.apiKey;
      const project = await createProject({ gateway: gateway(), key }, { name: 'Doors' });
      const created = await call(gateway(), 'POST', '/v1/conversations', { key, body: { upstream_project_id: project.id } });
      expect(created).toMatchObject({ status: 201, json: { destination_type: 'project', upstream_project_id: project.id } });
      const { id } = created.json as { id: string };
      expect(await call(gateway(), 'DELETE', `/v1/projects/${project.id}`, { key })).toMatchObject({ status: 204 });
      expect(await sync(tenant, id)).toMatchObject({ status: 200, json: { continuity_status: 'project_unavailable' } });
      expectRefusal(await goOn(tenant, id), { status: 409, code: 'CONVERSATION_PROJECT_UNAVAILABLE' });
    });
  });
});
