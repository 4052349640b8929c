import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said } from './harness/chat.ts';
import { query } from './harness/database.ts';
import { expectRefusal } from './harness/expectations.ts';
import { call } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { makeTenant, type Tenant } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';
import { usageOf } from './harness/usage.ts';

describe('quotas', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    const ofKey = ({ keyId }: Tenant, quotas: Record<string, string>) => operator.call('PATCH', `/keys/${keyId}`, { quotas });

    it('let in exactly the limit of 200 requests at once, and report the rest as rate limited', async () => {
      const tenant = await makeTenant(gateway);
      await ofKey(tenant, { requests: '50 per 1 day' });
      const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(gateway(), { key: tenant.apiKey, say: `say ${n}` })));
      const refused = answers.filter(({ status }) => status === 429);
      // On a busy machine one that was let in may fail for another reason.
      expect(refused).toHaveLength(150);
      const succeeded = answers.filter(({ status }) => status === 200).length;
      expect(succeeded).toBeGreaterThan(0);
      const [first] = refused;
      if (first) expectRefusal(first, { status: 429, code: 'rate_limit_exceeded' });
      expect(Object.fromEntries(first?.headers ?? [])).toMatchObject({ 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0' });
      const counted = await waitFor(async () =>
        [await usageOf(gateway(), tenant.apiKey)].find(({ total_requests }) => total_requests === 200),
      );
      expect(counted).toMatchObject({ successful: succeeded, rate_limited: 150, errors: 50 - succeeded });
    });

    it('are shown in the headers of every answer once they are nearest to their end', async () => {
      const tenant = await makeTenant(gateway);
      await ofKey(tenant, { requests: '3 per 1 day' });
      for (const [status, left] of [
        [200, '2'],
        [200, '1'],
        [200, '0'],
        [429, '0'],
      ] as const) {
        const answer = await ask(gateway(), { key: tenant.apiKey });
        expect(answer.status).toBe(status);
        expect(Object.fromEntries(answer.headers)).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': left });
      }
    });

    it('count the tokens that usage reports, for the key and for its workspace', async () => {
      const tenant = await makeTenant(gateway);
      await ofKey(tenant, { tokens: '1000000 per 1 day' });
      await operator.call('PATCH', `/workspaces/${tenant.workspaceId}`, { quotas: { tokens: '2000000 per 1 day' } });
      for (const say of ['count to 10', 'count to 20']) said(await ask(gateway(), { key: tenant.apiKey, say }));
      const { total_tokens_in: tokensIn, total_tokens_out: tokensOut } = await waitFor(async () =>
        [await usageOf(gateway(), tenant.apiKey)].find(({ total_requests }) => total_requests === 2),
      );
      for (const id of [tenant.keyId, tenant.workspaceId]) {
        // What was reserved and not used comes back once no request takes from it.
        await waitFor(async () => (await used(id, 'tokens')) === tokensIn + tokensOut);
      }
    });

    it('charge a speech job for the audio it made, and speech at once for its own', async () => {
      const tenant = await makeTenant(gateway);
      const { workspaceId, userId } = tenant;
      const { id, key } = await operator.createKey({ scopes: ['audio'], workspace_id: workspaceId, user_id: userId });
      await operator.call('PATCH', `/keys/${id}`, { quotas: { audio_seconds: '600 per 1 day' } });
      const created = await call(gateway(), 'POST', '/v1/audio/generations', {
        key,
        body: { input: 'The blue door is open.', voice: 'slt' },
      });
      expect(created.status).toBe(202);
      const { id: job } = created.json as { id: string };
      const ended = await waitFor(async () =>
        [(await call(gateway(), 'GET', `/v1/audio/generations/${job}`, { key })).json as { status: string; duration_ms: number }].find(
          ({ status }) => status === 'completed',
        ),
      );
      await waitFor(async () => (await used(id, 'audio_ms')) === ended.duration_ms);
      const body = { input: 'Good morning.', voice: 'slt', response_format: 'wav' };
      expect((await call(gateway(), 'POST', '/v1/audio/speech', { key, body })).status).toBe(200);
      await waitFor(async () => Number(await used(id, 'audio_ms')) > ended.duration_ms);
    });

    it('hold through another window only for what was used in it', async () => {
      const tenant = await makeTenant(gateway);
      await ofKey(tenant, { requests: '2 per 10 seconds' });
      const burst = async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => ask(gateway(), { key: tenant.apiKey })));
        return answers.filter(({ status }) => status === 200).length;
      };
      // A burst may lie across the end of a window, and is far shorter than one.
      expect([2, 4]).toContain(await burst());
      await waitFor(async () => (await burst()) > 0);
    });

    const used = async (id: string, metric: string) =>
      (
        await query<{ used: number }>(gateway(), 'SELECT used::int FROM usage.quota_counter WHERE subject_id = $1 AND metric = $2', [
          id,
          metric,
        ])
      )[0]?.used;
  });
});
