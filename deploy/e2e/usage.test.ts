import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said, stream } from './harness/chat.ts';
import { query } from './harness/database.ts';
import { readStream, readUntil } from './harness/event-stream.ts';
import { expectRefusal } from './harness/expectations.ts';
import { type Answer, call } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { Sandbox } from './harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';
import { usageOf } from './harness/usage.ts';

/** Requests a client may make in an hour here. */
const ALLOWED = 100;

describe('the usage report', () => {
  inBothTopologies(
    (gateway) => {
      const operator = new Operator(gateway);
      // Each test has an address of its own, so that throttling one disturbs no other.
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      const usage = (key: string, search = '') => usageOf(gateway(), key, search);
      /** The report once it counts so many requests; counting is not part of the answer. */
      const usageOnceCounted = (key: string, requests: number) =>
        waitFor(async () => [await usage(key)].find(({ total_requests }) => total_requests >= requests));

      it('shows the operator what a workspace used, by key, connection and model', async () => {
        const tenant = await makeTenant(gateway);
        const { apiKey, workspaceId } = tenant;
        const { label: name } = onlyAccount(tenant);
        said(await ask(gateway(), { key: apiKey, say: 'say hello' }));
        await usageOnceCounted(apiKey, 1);
        const groups = async (by: string) => {
          const { status, json } = await operator.call('GET', `/usage?by=${by}&period=24h&workspace_id=${workspaceId}`);
          expect(status).toBe(200);
          return (json as { groups: object[] }).groups;
        };
        const once = { requests: 1, successful: 1, errors: 0, rate_limited: 0 };
        expect(await groups('key')).toMatchObject([{ name: expect.stringMatching(/./), ...once }]);
        expect(await groups('connection')).toMatchObject([{ name, ...once }]);
        expect(await groups('model')).toMatchObject([once]);
        expect((await call(gateway(), 'GET', '/admin/v1/usage', { key: apiKey })).status).toBe(401);
      });

      it('shows the operator latencies and errors by code, of a workspace and of all, as JSON and CSV', async () => {
        const tenant = await makeTenant(gateway);
        const { apiKey, workspaceId } = tenant;
        await readStream(await stream(gateway(), { key: apiKey, say: 'count to 30' }));
        await onlyAccount(tenant).order({ fault: 'server_error' });
        expect((await ask(gateway(), { key: apiKey })).status).toBeGreaterThanOrEqual(500);
        await usageOnceCounted(apiKey, 2);
        for (const by of ['workspace', 'key', 'connection', 'model', 'day', 'hour']) {
          const { status, json } = await operator.call('GET', `/usage?by=${by}&workspace_id=${workspaceId}`);
          expect(status).toBe(200);
          const used = (json as { groups: { requests: number }[] }).groups.filter(({ requests }) => requests > 0);
          expect(used).toMatchObject([
            { requests: 2, errors: 1, duration: { count: 2 }, errors_by_code: [{ code: expect.stringMatching(/^[A-Z_]+$/), count: 1 }] },
          ]);
        }
        const { json } = await operator.call('GET', '/usage?by=workspace');
        expect((json as { groups: object[] }).groups).toEqual(
          expect.arrayContaining([expect.objectContaining({ id: workspaceId, requests: 2 })]),
        );
        const csv = await operator.call('GET', `/usage?by=key&workspace_id=${workspaceId}&format=csv`);
        expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
        expect(csv.text.split('\r\n')).toEqual([
          expect.stringMatching(/^key,name,.*,duration_p95_ms,.*,errors_by_code$/),
          expect.stringContaining(`,${workspaceId},2,1,1,0,`),
          '',
        ]);
        expectRefusal(await operator.call('GET', '/usage?by=hour&period=7d'), { status: 422, code: 'VALIDATION_ERROR', param: 'period' });
      });

      it('is empty for a new key', async () => {
        const tenant = await makeTenant(gateway);
        const empty = {
          successful: 0,
          errors: 0,
          rate_limited: 0,
          total_requests: 0,
          total_tokens_in: 0,
          total_tokens_out: 0,
          total_duration_ms: 0,
          by_model: [],
        };
        for (const [period, days] of [
          ['24h', 2],
          ['7d', 7],
          ['30d', 30],
        ] as const) {
          const report = await usage(tenant.apiKey, `?period=${period}`);
          expect(report).toMatchObject({ ...empty, period, scope: 'api_key' });
          // Every UTC day is there, also those without a request.
          const last = Date.parse(report.by_day.at(-1)?.date ?? '');
          const dates = Array.from({ length: days }, (_, n) => new Date(last - (days - 1 - n) * 86_400_000).toISOString().slice(0, 10));
          expect(report.by_day).toEqual(dates.map((date) => ({ date, requests: 0, tokens: 0 })));
          expect(Math.abs(Date.now() - last)).toBeLessThan(2 * 86_400_000);
        }
        expect(await usage(tenant.apiKey)).toMatchObject({ period: '7d' });
      });

      it('counts every request once, and agrees with the record', async () => {
        const tenant = await makeTenant(gateway);
        const key = tenant.apiKey;
        const { conversation } = said(await ask(gateway(), { key, say: 'count to 10' }));
        said(await ask(gateway(), { key, conversation, say: 'count to 20', body: { model: 'sandbox-mini' } }));
        await readStream(await stream(gateway(), { key, say: 'count to 30' }));
        const account = onlyAccount(tenant);
        for (const fault of ['server_error', 'error_mid_stream', 'image_refused']) {
          await account.order({ fault });
          expect((await ask(gateway(), { key })).status).toBeGreaterThanOrEqual(500);
        }
        const refused: Answer[] = [
          await ask(gateway(), { key, body: { messages: [] } }),
          await ask(gateway(), { key, body: { model: 'no-such-model' } }),
          await ask(gateway(), { key, body: { tools: [{}] } }),
          await ask(gateway(), { key, conversation: '01900000-0000-7000-8000-00000000dead' }),
        ];
        expect(refused.map(({ status }) => status)).toEqual([422, 400, 400, 404]);
        await account.order({ fault: 'rate_limited' });
        expect((await ask(gateway(), { key })).status).toBe(429);
        expect((await ask(gateway(), { key, conversation })).status).toBe(429);
        // Reading costs nothing.
        await call(gateway(), 'GET', '/v1/models', { key });

        const counted = await usageOnceCounted(key, 12);
        expect(counted).toMatchObject({ total_requests: 12, successful: 3, errors: 7, rate_limited: 2 });
        const recorded = await waitFor(async () => [await record(tenant)].find(({ turns }) => turns === 7));
        expect(counted).toMatchObject({
          total_tokens_in: recorded.tokens_in,
          total_tokens_out: recorded.tokens_out,
          total_duration_ms: recorded.duration_ms,
        });
        expect(counted.by_model.map(({ model, requests }) => [model, requests])).toEqual(
          expect.arrayContaining([
            ['sandbox-mini', 1],
            ['sandbox-1', 6],
          ]),
        );
        expect(counted.by_model.reduce((sum, { tokens_in, tokens_out }) => sum + tokens_in + tokens_out, 0)).toBe(
          recorded.tokens_in + recorded.tokens_out,
        );
        expect(counted.by_day.at(-1)).toMatchObject({ requests: 12, tokens: recorded.tokens_in + recorded.tokens_out });
      });

      it('counts a stream once it has ended, also when its client left', async () => {
        const tenant = await makeTenant(gateway);
        await new Sandbox(gateway).paced(20, async () => {
          const { reader } = await readUntil(await stream(gateway(), { key: tenant.apiKey, say: 'count to 10000' }), (raw) =>
            raw.includes('" 3"'),
          );
          expect(await usage(tenant.apiKey)).toMatchObject({ total_requests: 0 });
          await reader.cancel();
          expect(await usageOnceCounted(tenant.apiKey, 1)).toMatchObject({ total_requests: 1, successful: 1 });
        });
        expect((await usage(tenant.apiKey)).total_tokens_out).toBeGreaterThan(0);
      });

      it('shows a key its own requests, and the operator everybody’s', async () => {
        const tenant = await makeTenant(gateway);
        const sibling = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId });
        const before = await usage(gateway().operatorKey, '?period=24h');
        expect(before.scope).toBe('all');
        said(await ask(gateway(), { key: tenant.apiKey, say: 'hello' }));
        said(await ask(gateway(), { key: sibling.key, say: 'hello' }));
        said(await ask(gateway(), { key: sibling.key, say: 'hello' }));
        expect(await usageOnceCounted(tenant.apiKey, 1)).toMatchObject({ total_requests: 1, scope: 'api_key' });
        expect(await usageOnceCounted(sibling.key, 2)).toMatchObject({ total_requests: 2, scope: 'api_key' });
        expect(await usage(gateway().operatorKey, '?period=24h')).toMatchObject({
          total_requests: before.total_requests + 3,
          successful: before.successful + 3,
        });
      });

      it('counts throttled requests, which hear when to come back', async () => {
        const tenant = await makeTenant(gateway);
        const request = { key: tenant.apiKey, say: 'hello', ...from('203.0.113.7') };
        const answers: Answer[] = [];
        while (answers.length <= ALLOWED + 1) answers.push(await ask(gateway(), request));
        expect(answers.slice(0, ALLOWED).map(({ status }) => status)).toEqual(Array<number>(ALLOWED).fill(200));
        for (const { status, headers, json } of answers.slice(ALLOWED)) {
          expect({ status, json }).toEqual({ status: 429, json: { error: `Rate limit exceeded: ${ALLOWED} per 1 hour` } });
          expect(Object.fromEntries(headers)).toMatchObject({
            'x-ratelimit-limit': String(ALLOWED),
            'x-ratelimit-remaining': '0',
            'x-request-id': expect.any(String),
          });
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        }
        said(await ask(gateway(), { ...request, ...from('203.0.113.8') }));
        const counted = await usageOnceCounted(tenant.apiKey, ALLOWED + 3);
        expect(counted).toMatchObject({ total_requests: ALLOWED + 3, successful: ALLOWED + 1, rate_limited: 2 });
      });

      it.each(['?period=1y', '?period=', '?period=24H', '?period=24h&period=7d', '?period=7d&period=7d'])('refuses %s', async (search) => {
        expectRefusal(await call(gateway(), 'GET', `/v1/usage${search}`, { key: gateway().apiKey }), {
          status: 422,
          code: 'VALIDATION_ERROR',
          param: 'period',
        });
      });

      /** What the record holds of the turns of a key. */
      async function record({ keyId }: Tenant) {
        const [sums] = await query<{ turns: number; tokens_in: number; tokens_out: number; duration_ms: number }>(gateway(), RECORDED, [
          keyId,
        ]);
        if (!sums) throw new Error('the record gives no sums');
        return sums;
      }
    },
    { env: { PARLEY_THROTTLE_RATE_LIMIT: `${ALLOWED} per 1 hour`, PARLEY_TRUSTED_PROXIES: '127.0.0.1' } },
  );
});

const RECORDED = `
  SELECT count(*)::int AS turns, sum(e.tokens_in)::int AS tokens_in, sum(e.tokens_out)::int AS tokens_out, sum(e.duration_ms)::int AS duration_ms
    FROM conversation.turn_ends e JOIN conversation.turns t ON t.id = e.turn_id WHERE t.key_id = $1`;
