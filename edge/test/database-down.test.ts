import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createTestDatabase } from '@parley/kit/testing/database';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { API_KEY, call, type ErrorBody, startFixture } from './harness.ts';
import { operatorToken } from './operator.ts';

const HOUR = 3_600_000;

describe('with PostgreSQL away', () => {
  afterEach(() => void jest.restoreAllMocks());

  it.each(['cut', 'pause'] as const)('cached keys go on for a while, then it is 503 until it is back (%s)', async (fault) => {
    const database = await createTestDatabase();
    const address = new URL(database.url);
    const proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
    address.hostname = '127.0.0.1';
    address.port = String(proxy.port);
    const fixture = await startFixture(
      { databaseUrl: address.href },
      { cacheTimes: { maxAgeMs: HOUR, refreshMs: 0, readTimeoutMs: 1_000 } },
    );
    const models = () => call<ErrorBody>(`${fixture.edge.url}/v1/models`, { key: API_KEY });

    // A connection to the broker empties the cache of keys, so it has to be there first.
    await waitFor(async () => (await call<{ checks: { broker: { ok: boolean } } }>(`${fixture.edge.url}/readyz`)).body.checks.broker.ok);
    expect((await models()).status).toBe(200);
    const token = await operatorToken(fixture);
    proxy[fault]();
    expect((await models()).status).toBe(200);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + HOUR);
    const refused = await waitFor(async () => {
      const answer = await models();
      return answer.status === 200 ? undefined : answer;
    });
    expect([refused.status, refused.body.error.code, refused.body.error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    const unknown = await call<ErrorBody>(`${fixture.edge.url}/v1/models`, { key: `gmk_live_${'n'.repeat(43)}` });
    expect([unknown.status, unknown.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    const admin = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/keys`, { key: token });
    expect([admin.status, admin.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await call(`${fixture.edge.url}/readyz`)).status).toBe(503);

    proxy.resume();
    await waitFor(async () => (await models()).status === 200);
    await fixture[Symbol.asyncDispose]();
    await proxy.close();
    await database.drop();
  });
});
