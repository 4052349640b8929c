import { describe, expect, it } from '@jest/globals';
import { ask, said } from '../../harness/chat.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { Operator } from '../../harness/operator.ts';
import { connectAccount, makeTenant, onlyAccount, type Provider } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { begin, clearAccount, connectionOf } from './health.ts';

const PROVIDERS: Provider[] = ['sandbox', 'openai-compatible'];

describe('an account that fails', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);

    describe.each(PROVIDERS)('over %s', (provider) => {
      it('says when a limited account takes turns again, whatever its upstream says, and that retrying before is no use', async () => {
        const tenant = await makeTenant(gateway, [provider]);
        for (const delay_ms of [20_000, 120_000]) {
          await onlyAccount(tenant).order({ fault: 'rate_limited', delay_ms });
          const { headers } = await ask(gateway(), { key: tenant.apiKey });
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(200);
          expect(headers.get('x-should-retry')).toBe('false');
          await clearAccount(gateway(), tenant);
        }
      });

      it('leaves a limited account alone for five minutes, and moves no conversation from it', async () => {
        const tenant = await makeTenant(gateway, [provider]);
        const { label } = onlyAccount(tenant);
        const conversation = await begin(gateway(), tenant);
        await onlyAccount(tenant).order({ fault: 'rate_limited' });
        await ask(gateway(), { key: tenant.apiKey });
        const connection = await connectionOf(gateway(), tenant, label);
        expect(connection).toMatchObject({ status: 'rate_limited', health: 'rate_limited' });
        expect(connection.cooldown_seconds).toBeGreaterThan(200);
        expect(connection.cooldown_seconds).toBeLessThanOrEqual(300);

        expectRefusal(await ask(gateway(), { key: tenant.apiKey }), { status: 503, code: 'NO_HEALTHY_SESSION' });
        for (const selected of [{ account: label }, { conversation }]) {
          const answer = await ask(gateway(), { key: tenant.apiKey, ...selected });
          expectRefusal(answer, { status: 429, code: 'PROVIDER_RATE_LIMITED' });
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200);
        }

        await connectAccount(gateway, tenant.workspaceId, provider);
        expect(said(await ask(gateway(), { key: tenant.apiKey, say: 'say elsewhere' })).text).toBe('elsewhere');
        expectRefusal(await ask(gateway(), { key: tenant.apiKey, conversation }), { status: 429, code: 'PROVIDER_RATE_LIMITED' });
      });

      it('opens the breaker after failures in a row, and closes it when the account is tested', async () => {
        const tenant = await makeTenant(gateway, [provider]);
        const account = onlyAccount(tenant);
        const conversation = await begin(gateway(), tenant);
        await account.order({ fault: 'server_error', count: 5 });
        for (let failures = 0; failures < 5; failures++)
          expectRefusal(await ask(gateway(), { key: tenant.apiKey }), { status: 502, code: 'PROVIDER_UNAVAILABLE' });
        const connection = await connectionOf(gateway(), tenant, account.label);
        expect(connection).toMatchObject({ status: 'cooldown', health: 'cooldown' });
        expect(connection.cooldown_seconds).toBeLessThanOrEqual(30);

        const accepted = (await account.report()).turns_accepted;
        expectRefusal(await ask(gateway(), { key: tenant.apiKey }), { status: 503, code: 'NO_HEALTHY_SESSION' });
        const sticky = await ask(gateway(), { key: tenant.apiKey, conversation });
        expectRefusal(sticky, { status: 503, code: 'CONVERSATION_UPSTREAM_UNAVAILABLE' });
        expect(Number(sticky.headers.get('retry-after'))).toBeGreaterThan(0);
        expect((await account.report()).turns_accepted).toBe(accepted);

        await clearAccount(gateway(), tenant);
        expect(said(await ask(gateway(), { key: tenant.apiKey, conversation, say: 'what did I ask you to remember?' })).text).toContain(
          'the blue door',
        );
        expect(await connectionOf(gateway(), tenant, account.label)).toMatchObject({ status: 'active', health: 'healthy' });
      });

      it('knows an expired session until the account is reconnected', async () => {
        const tenant = await makeTenant(gateway, [provider]);
        const { label, connectionId, password, apiKey } = onlyAccount(tenant);
        const conversation = await begin(gateway(), tenant);
        // The sandbox says for certain that a session is over; a 401 is believed when it is repeated.
        const refusals = provider === 'sandbox' ? 1 : 2;
        await onlyAccount(tenant).order({ fault: 'session_expired', count: refusals });
        for (let n = 0; n < refusals; n++)
          expectRefusal(await ask(gateway(), { key: tenant.apiKey, conversation }), { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' });
        expect(await connectionOf(gateway(), tenant, label)).toMatchObject({ status: 'expired', health: 'unhealthy' });
        expectRefusal(await ask(gateway(), { key: tenant.apiKey, conversation }), { status: 419, code: 'CONVERSATION_SESSION_EXPIRED' });
        expectRefusal(await ask(gateway(), { key: tenant.apiKey, account: label }), { status: 503, code: 'ACCOUNT_REAUTH_REQUIRED' });
        expectRefusal(await ask(gateway(), { key: tenant.apiKey }), { status: 503, code: 'NO_HEALTHY_SESSION' });

        await operator.updateConnection(connectionId, tenant.workspaceId, provider === 'sandbox' ? { password } : { api_key: apiKey });
        expect(said(await ask(gateway(), { key: tenant.apiKey, conversation, say: 'what did I ask you to remember?' })).text).toContain(
          'the blue door',
        );
        expect(await connectionOf(gateway(), tenant, label)).toMatchObject({ status: 'active', health: 'healthy' });
      });
    });
  });
});
