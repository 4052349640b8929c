import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ask, said } from './harness/chat.ts';
import { query } from './harness/database.ts';
import { expectRefusal } from './harness/expectations.ts';
import { call } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { type Gateway } from './harness/parley.ts';
import { connectAccount, makeTenant, onlyAccount } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const statuses = z.array(z.looseObject({ id: z.string(), label: z.string(), status: z.string() }));
/** Words that only ever stand in messages. */
const SPOKEN = 'heliotrope-in-a-message';

describe('the operator', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);

    it.each([
      ['no token', () => undefined, { status: 401, code: 'INVALID_ADMIN_TOKEN' }],
      ['a stranger', () => 'operator-of-another-gateway', { status: 401, code: 'INVALID_ADMIN_TOKEN' }],
      ['a workspace key', () => gateway().apiKey, { status: 401, code: 'INVALID_ADMIN_TOKEN' }],
    ])('is not %s', async (_who, key, refusal) => {
      for (const path of ['/admin/v1/keys', '/admin/v1/status', '/openapi.json']) {
        expectRefusal(await call(gateway(), 'GET', path, { key: key() }), refusal);
      }
    });

    it('makes a key that works at once, shows it once, and revokes it at once', async () => {
      const tenant = await makeTenant(gateway);
      const created = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId, name: 'for a while' });
      expect(created.key).toMatch(/^gmk_live_[0-9A-Za-z]{43}$/);
      said(await ask(gateway(), { key: created.key }));
      const listed = await operator.call('GET', `/keys?workspace_id=${tenant.workspaceId}`);
      expect(listed.headers.get('x-total-count')).toBe('2');
      expect(listed.json).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: created.id, name: 'for a while', prefix: created.prefix, revoked_at: null }),
        ]),
      );
      expect(listed.text).not.toContain(created.key);

      await operator.revokeKey(created.id);
      expectRefusal(await ask(gateway(), { key: created.key }), { status: 401, code: 'REVOKED_API_KEY' });
      said(await ask(gateway(), { key: tenant.apiKey }));
    });

    it('connects, tests, relabels, disables and disconnects an account', async () => {
      const tenant = await makeTenant(gateway, []);
      const { workspaceId, apiKey: key } = tenant;
      expectRefusal(await ask(gateway(), { key }), { status: 403, code: 'ACCOUNT_NOT_CONNECTED' });
      const account = await connectAccount(gateway, workspaceId, 'openai-compatible');
      const at = `/connections/${account.connectionId}`;
      const where = `?workspace_id=${workspaceId}`;
      expect(said(await ask(gateway(), { key, say: 'say connected' })).text).toBe('connected');
      expect((await operator.call('POST', `${at}/test${where}`)).json).toMatchObject({
        ok: true,
        code: null,
        models: ['sandbox-1', 'sandbox-mini'],
      });

      expect(await operator.updateConnection(account.connectionId, workspaceId, { label: 'renamed' })).toMatchObject({ label: 'renamed' });
      said(await ask(gateway(), { key, account: 'renamed' }));
      expectRefusal(await ask(gateway(), { key, account: account.label }), {
        status: 404,
        code: 'CONNECTION_NOT_FOUND',
        param: 'X-Service-Upstream-Account',
      });

      expect(await operator.updateConnection(account.connectionId, workspaceId, { enabled: false })).toMatchObject({ status: 'disabled' });
      expectRefusal(await ask(gateway(), { key, account: 'renamed' }), { status: 409, code: 'ACCOUNT_NOT_ACTIVE' });
      expect((await call(gateway(), 'GET', '/v1/capabilities', { key })).json).toMatchObject({
        capabilities: { chat: { enabled: false, reason: 'account_disabled' } },
      });
      await operator.updateConnection(account.connectionId, workspaceId, { enabled: true });
      said(await ask(gateway(), { key }));

      expect(await operator.call('DELETE', at + where)).toMatchObject({ status: 200, json: { deleted: true, conversations: 3, moved: 0 } });
      expectRefusal(await ask(gateway(), { key }), { status: 403, code: 'ACCOUNT_NOT_CONNECTED' });
      expect((await call(gateway(), 'GET', '/v1/connections', { key })).json).toEqual([]);
      // A removal that broke off can be asked for again.
      expect((await operator.call('DELETE', at + where)).status).toBe(200);
      const unknown = at.replace(account.connectionId, randomUUID());
      expectRefusal(await operator.call('DELETE', unknown + where), { status: 404, code: 'CONNECTION_NOT_FOUND' });
    });

    it('stores no account whose credentials are wrong', async () => {
      const { workspaceId } = await makeTenant(gateway, []);
      const url = gateway().run.sandbox_url;
      for (const wrong of [
        { provider: 'sandbox', base_url: url, account: 'ada', password: 'wrong' },
        { provider: 'openai-compatible', base_url: `${url}/v1`, api_key: 'sk-wrong' },
      ]) {
        const answer = await operator.call('POST', '/connections', { label: 'wrong', workspace_id: workspaceId, ...wrong });
        expectRefusal(answer, { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' });
      }
      expect((await operator.call('GET', `/connections?workspace_id=${workspaceId}`)).json).toEqual([]);
    });

    it('keeps workspaces apart', async () => {
      const [one, other] = [await makeTenant(gateway), await makeTenant(gateway)];
      const list = async (key: string) =>
        statuses.parse((await call(gateway(), 'GET', '/v1/connections', { key })).json).map(({ id }) => id);
      expect(await list(one.apiKey)).toEqual([onlyAccount(one).connectionId]);
      expect(await list(other.apiKey)).toEqual([onlyAccount(other).connectionId]);
      const foreign = onlyAccount(one);
      expectRefusal(await ask(gateway(), { key: other.apiKey, account: foreign.label }), { status: 404, code: 'CONNECTION_NOT_FOUND' });
      expectRefusal(await operator.call('POST', `/connections/${foreign.connectionId}/test?workspace_id=${other.workspaceId}`), {
        status: 404,
        code: 'CONNECTION_NOT_FOUND',
      });
    });

    it('routes by profile', async () => {
      const tenant = await makeTenant(gateway, ['sandbox', 'openai-compatible']);
      const [, second] = tenant.accounts;
      await operator.putProfile('small', tenant.workspaceId, { account_labels: [second?.label ?? ''], model: 'sandbox-mini' });
      for (let turns = 0; turns < 4; turns++) {
        const answer = await ask(gateway(), { key: tenant.apiKey, headers: { 'x-service-route-profile': 'small' } });
        expect(answer.json).toMatchObject({ model: 'sandbox-mini' });
      }
      expect((await second?.report())?.turns_accepted).toBe(4);
    });

    it('sees the gateway at a glance', async () => {
      const { json } = await operator.call('GET', '/status');
      expect(json).toMatchObject({
        topology: gateway().run.topology,
        readiness: { status: 'ready' },
        connections: { total: 2, by_status: { active: 2 } },
      });
    });

    it('never meets a secret or a message again', async () => {
      const tenant = await makeTenant(gateway, ['sandbox', 'openai-compatible']);
      const { key } = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId });
      said(await ask(gateway(), { key, say: `remember ${SPOKEN}`, account: tenant.accounts[1]?.label ?? '' }));
      await ask(gateway(), { key, say: SPOKEN, body: { model: SPOKEN.slice(0, 10) } });
      await ask(gateway(), { key: `${key}x`, say: SPOKEN });
      await ask(gateway(), { key, body: `{"messages": "${SPOKEN}` as never });
      await tenant.accounts[1]?.order({ fault: 'session_expired' });
      await ask(gateway(), { key, say: SPOKEN, account: tenant.accounts[1]?.label ?? '' });
      await operator.call('POST', '/connections/rotate-secrets');

      const credentials = tenant.accounts.map(({ password, apiKey }) => [password, apiKey]).flat();
      const secrets = [key, gateway().apiKey, gateway().operatorKey, ...credentials];
      const where = `workspace_id=${tenant.workspaceId}`;
      for (const path of [`/keys?${where}`, `/connections?${where}`, `/status?${where}`, '/workspaces', '/users'])
        expectNone(secrets, (await operator.call('GET', path)).text);
      for (const path of ['/v1/connections', '/v1/capabilities']) expectNone(secrets, (await call(gateway(), 'GET', path, { key })).text);
      expectNone([...secrets, SPOKEN], await gateway().log());
      expectNone([...secrets, SPOKEN], gateway().output());
      // Passwords of the sandbox's own accounts stand in its journal, which is the upstream's and not ours.
      expectNone(secrets, await everythingStored(gateway()));
    });
  });
});

function expectNone(secrets: readonly string[], text: string): void {
  expect(text).not.toBe('');
  for (const secret of secrets) {
    const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
    expect(forms.find((form) => text.includes(form))).toBeUndefined();
  }
}

/** Every row of every table, as text; bytes as hexadecimal digits. */
async function everythingStored(gateway: Gateway): Promise<string> {
  const tables = await query<{ name: string }>(
    gateway,
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const rows = await Promise.all(tables.map(({ name }) => query<{ row: string }>(gateway, `SELECT t::text AS row FROM ${name} t`)));
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
