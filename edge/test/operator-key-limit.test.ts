import { describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { waitFor } from '@parley/kit/testing/wait-for';
import { API_KEY, call, captureLog, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';

const POLICY = { points: 5, seconds: 60, text: '5 per 1 minute' };

describe('wrong operator keys', () => {
  const admin = (fixture: TestFixture, key: string) => call<ErrorBody>(`${fixture.edge.url}/admin/v1/keys`, { key });
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

  it('stand in the audit log once for each address and minute, without the key', async () => {
    await using fixture = await startFixture({ operatorKeyLimit: POLICY, trustedProxies: ['127.0.0.1'] });
    const from = (address: string) =>
      call(`${fixture.edge.url}/admin/v1/keys?x=1`, { key: 'wrong-operator-key', headers: { 'x-forwarded-for': address } });
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '2001:db8::1', '2001:db8::2']) await from(address);
    const entry = (target_id: string) => ({ actor: 'unknown', target_id, details: { path: '/admin/v1/keys' } });
    await waitFor(async () => (await audited(fixture)).length >= 2);
    expect(await audited(fixture)).toEqual(expect.arrayContaining([entry('192.0.2.1'), entry('2001:db8:0:0')]));
    expect(await audited(fixture)).toHaveLength(2);
  });
});
