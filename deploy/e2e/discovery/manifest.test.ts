import { beforeEach, describe, expect, it } from '@jest/globals';
import { Operator } from '../harness/operator.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { spoilAccount } from '../harness/spoil-account.ts';
import { connectAccount, makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { becomes, flagsOf, manifestOf } from './flags.ts';

const NO_ACCOUNT = 'no_connected_account';
/** What every flag of an account says when there is none to chat with. */
const OFF = {
  chat: NO_ACCOUNT,
  conversations: NO_ACCOUNT,
  projects: NO_ACCOUNT,
  files: NO_ACCOUNT,
  images: NO_ACCOUNT,
  project_files: NO_ACCOUNT,
};
const ON = { chat: true, conversations: true, projects: true, files: true, images: true, project_files: true };

describe('the manifest, driven both ways', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    let tenant: Tenant;
    beforeEach(async () => {
      tenant = await makeTenant(gateway, []);
    });
    const connect = async () => void tenant.accounts.push(await connectAccount(gateway, tenant.workspaceId, 'sandbox'));
    const change = (fields: Parameters<Operator['updateConnection']>[2]) =>
      operator.updateConnection(onlyAccount(tenant).connectionId, tenant.workspaceId, fields);

    it('begins with nothing, follows a connection that is made, and one that is deleted', async () => {
      await becomes(gateway(), tenant, OFF);
      await connect();
      await becomes(gateway(), tenant, ON);
      expect(await manifestOf(gateway(), tenant)).toMatchObject({
        providers: { sandbox: { connected: true, supports: expect.arrayContaining(['text', 'images', 'projects']) } },
        capabilities: { images: { state: 'unknown', verified: false }, chat: { features: { multi_account_routing: false } } },
      });
      await connect();
      expect(await manifestOf(gateway(), tenant)).toMatchObject({ capabilities: { chat: { features: { multi_account_routing: true } } } });
      for (const { connectionId } of tenant.accounts)
        await operator.call('DELETE', `/connections/${connectionId}?workspace_id=${tenant.workspaceId}`);
      await becomes(gateway(), tenant, OFF);
      expect((await manifestOf(gateway(), tenant)).providers).not.toHaveProperty('sandbox');
    });

    it('says that accounts are disabled, and follows them back', async () => {
      await connect();
      await change({ enabled: false });
      const disabled = Object.fromEntries(Object.keys(OFF).map((name) => [name, 'account_disabled']));
      await becomes(gateway(), tenant, disabled);
      expect((await manifestOf(gateway(), tenant)).providers['sandbox']?.connected).toBe(false);
      await change({ enabled: true });
      await becomes(gateway(), tenant, ON);
    });

    it('knows an expired session until the account is reconnected', async () => {
      await connect();
      await spoilAccount(gateway(), tenant, 'session_expired');
      await becomes(gateway(), tenant, OFF);
      await change({ password: onlyAccount(tenant).password });
      await becomes(gateway(), tenant, ON);
    });

    it('counts an account that is limited or cools down as connected', async () => {
      await connect();
      await spoilAccount(gateway(), tenant, 'rate_limited');
      await becomes(gateway(), tenant, ON);
    });

    it('remembers a refused image until the account is tested again', async () => {
      await connect();
      const id = await spoilAccount(gateway(), tenant, 'image_refused');
      await becomes(gateway(), tenant, { ...ON, images: false });
      expect(await manifestOf(gateway(), tenant)).toMatchObject({ capabilities: { images: { state: 'unavailable' } } });
      await operator.testConnection(id, tenant.workspaceId);
      await becomes(gateway(), tenant, ON);
    });

    it('turns listening on with a server that listens, and off without it', async () => {
      expect((await flagsOf(gateway(), tenant)).transcription).toBe(NO_ACCOUNT);
      const id = `acc-${tenant.workspaceId}`;
      const apiKey = `sk-${id}`;
      await new Sandbox(gateway).putAccount({ id, password: `password of ${id}`, apiKey });
      const fields = { provider: 'openai-transcription', label: 'ears', base_url: `${gateway().run.sandbox_url}/v1`, api_key: apiKey };
      const { id: connection } = await operator.connect({ ...fields, models: ['whisper-1'], workspace_id: tenant.workspaceId });
      await becomes(gateway(), tenant, { transcription: true });
      await operator.updateConnection(connection, tenant.workspaceId, { enabled: false });
      await becomes(gateway(), tenant, { transcription: 'account_disabled' });
      await operator.updateConnection(connection, tenant.workspaceId, { enabled: true });
      await becomes(gateway(), tenant, { transcription: true });
      await operator.call('DELETE', `/connections/${connection}?workspace_id=${tenant.workspaceId}`);
      await becomes(gateway(), tenant, { transcription: NO_ACCOUNT });
    });
  });
});
