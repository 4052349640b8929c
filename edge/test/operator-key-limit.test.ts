import { describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { waitFor } from '@parley/kit/testing/wait-for';
import { API_KEY, call, captureLog, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';
import { operate } from './operator.ts';

const POLICY = { points: 5, seconds: 60, text: '5 per 1 minute' };

describe('wrong operator keys', () => {
  const admin = (fixture: TestFixture, operator_key: string) =>
    call<ErrorBody>(`${fixture.edge.url}/admin/v1/token`, { method: 'POST', body: { operator_key } });
  const models = (fixture: TestFixture, key: string) => call<ErrorBody>(`${fixture.edge.url}/v1/models`, { key });

  async function audited(fixture: TestFixture): Promise<unknown[]> {
    const pool = openPool({ url: fixture.config.databaseUrl, schema: 'edge', log: captureLog().log, applicationName: 'test' });
    const { rows } = await pool.query("SELECT actor, target_id, details FROM audit_log WHERE action = 'operator_key.refuse'");
    await pool.end();
    return rows as unknown[];
  }

  it('are answered a few times, and then not looked at: nor is the right one, while tenants notice nothing', async () => {
    await using fixture = await startFixture({ operatorKeyLimit: POLICY });
    expect((await admin(fixture, OPERATOR_KEY)).status).toBe(200);
    for (let n = 1; n <= POLICY.points; n++) expect((await admin(fixture, `wrong-operator-key-${n}`)).status).toBe(401);
    for (const key of ['wrong-operator-key', `gmk_live_${'z'.repeat(43)}`, OPERATOR_KEY]) {
      const { status, headers, body } = await admin(fixture, key);
      expect([status, body.error.code, body.error.message]).toEqual([429, 'rate_limit_exceeded', 'Rate limit exceeded: 5 per 1 minute']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await models(fixture, API_KEY)).status).toBe(200);
  });

  it('cannot be tried where tenants call either', async () => {
    await using fixture = await startFixture({ operatorKeyLimit: POLICY });
    for (let n = 1; n <= POLICY.points; n++) expect((await models(fixture, `wrong-operator-key-${n}`)).status).toBe(401);
    expect((await models(fixture, OPERATOR_KEY)).status).toBe(401);
    expect((await admin(fixture, OPERATOR_KEY)).status).toBe(429);
    expect(await audited(fixture)).toEqual([]);
  });

  it('cannot be tried with tokens, as no answer of the control plane itself tells whether a key is right', async () => {
    await using fixture = await startFixture({ operatorKeyLimit: POLICY });
    const keys = (key: string) => call<ErrorBody>(`${fixture.edge.url}/admin/v1/keys`, { key });
    const [right, wrong] = [await keys(OPERATOR_KEY), await keys('wrong-operator-key')];
    expect([right.status, right.body.error.code]).toEqual([401, 'INVALID_ADMIN_TOKEN']);
    expect(right.body.error.message).toContain('POST /admin/v1/token');
    expect({ ...wrong.body.error, request_id: '' }).toEqual({ ...right.body.error, request_id: '' });
  });

  it('limit secrets of service accounts as well', async () => {
    await using fixture = await startFixture({ operatorKeyLimit: POLICY });
    const { id, client_secret } = await operate<{ id: string; client_secret: string }>(
      fixture,
      'POST',
      'service-accounts',
      { name: 'ci', instance_role: 'auditor' },
      201,
    );
    const token = (secret: string) =>
      call<ErrorBody>(`${fixture.edge.url}/admin/v1/token`, { method: 'POST', body: { client_id: id, client_secret: secret } });
    for (let n = 1; n <= POLICY.points; n++) expect((await token(`parley_sa_${n}`)).body.error.code).toBe('SIGN_IN_FAILED');
    expect((await token(client_secret)).status).toBe(429);
  });

  it('stand in the audit log once for each address and minute, without the key', async () => {
    await using fixture = await startFixture({ operatorKeyLimit: POLICY, trustedProxies: ['127.0.0.1'] });
    const from = (address: string) =>
      call(`${fixture.edge.url}/admin/v1/token?x=1`, {
        method: 'POST',
        body: { operator_key: 'wrong-operator-key' },
        headers: { 'x-forwarded-for': address },
      });
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '2001:db8::1', '2001:db8::2']) await from(address);
    const entry = (target_id: string) => ({ actor: 'unknown', target_id, details: { path: '/admin/v1/token' } });
    await waitFor(async () => (await audited(fixture)).length >= 2);
    expect(await audited(fixture)).toEqual(expect.arrayContaining([entry('192.0.2.1'), entry('2001:db8:0:0')]));
    expect(await audited(fixture)).toHaveLength(2);
  });
});
