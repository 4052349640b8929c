import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPool } from '@parley/kit/db/pool';
import { waitFor } from '@parley/kit/testing/wait-for';
import { API_KEY, call, captureLog, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate } from './operator.ts';
import { head, sendRaw } from './raw-http.ts';

describe('authentication (bad inputs 1 to 13)', () => {
  let fixture: TestFixture;
  let url: string;
  beforeAll(async () => {
    fixture = await startFixture();
    url = `${fixture.edge.url}/v1/models`;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  async function sql(text: string, values: unknown[]): Promise<void> {
    const pool = openPool({ url: fixture.config.databaseUrl, schema: 'edge', log: captureLog().log, applicationName: 'test' });
    await pool.query(text, values);
    await pool.end();
  }

  it.each([
    ['1 no header', {}, '', 'MISSING_API_KEY'],
    ['2 another scheme', { authorization: 'Basic x' }, '', 'INVALID_API_KEY'],
    ['3 an injection', { authorization: "Bearer ' OR '1'='1" }, '', 'INVALID_API_KEY'],
    ['4 a key short of one character', { authorization: `Bearer ${API_KEY.slice(0, -1)}` }, '', 'INVALID_API_KEY'],
    ['5 a key of 10 KB', { authorization: `Bearer gmk_live_${'a'.repeat(10 * 1_024)}` }, '', 'INVALID_API_KEY'],
    ['an empty key', { authorization: 'Bearer ' }, '', 'INVALID_API_KEY'],
    ['an unknown key', { authorization: `Bearer gmk_live_${'z'.repeat(43)}` }, '', 'INVALID_API_KEY'],
    ['6 only x-api-key', { 'x-api-key': API_KEY }, '', 'MISSING_API_KEY'],
    ['7 the key in the query', {}, `?api_key=${API_KEY}`, 'MISSING_API_KEY'],
  ])('answers 401 to %s', async (_name, headers, query, code) => {
    const { status, body } = await call<ErrorBody>(url + query, { headers });
    expect([status, body.error.code, body.error.type, body.error.retryable]).toEqual([401, code, 'authentication_error', false]);
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('takes the scheme in the form %j', async (scheme) => {
    expect((await call(url, { headers: { authorization: `${scheme} ${API_KEY}` } })).status).toBe(200);
  });

  it('8: an expired key', async () => {
    const { id, key } = await createKey(fixture, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    await sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    const { status, body } = await call<ErrorBody>(url, { key });
    expect([status, body.error.code]).toEqual([401, 'EXPIRED_API_KEY']);
  });

  it('9: a revoked key, at once', async () => {
    const { id, key } = await createKey(fixture);
    expect((await call(url, { key })).status).toBe(200);
    await operate(fixture, 'DELETE', `keys/${id}`);
    const { status, body } = await call<ErrorBody>(url, { key });
    expect([status, body.error.code]).toEqual([401, 'REVOKED_API_KEY']);
  });

  it('10: a key of a disabled user, until the user is enabled again', async () => {
    const user = await operate<{ id: string }>(fixture, 'POST', 'users', { display_name: 'Ada' }, 201);
    const { key } = await createKey(fixture, { user_id: user.id });
    expect((await call(url, { key })).status).toBe(200);
    await operate(fixture, 'PATCH', `users/${user.id}`, { status: 'disabled' });
    const { status, body } = await call<ErrorBody>(url, { key });
    expect([status, body.error.code]).toEqual([401, 'USER_NOT_ACTIVE']);
    await operate(fixture, 'PATCH', `users/${user.id}`, { status: 'active' });
    expect((await call(url, { key })).status).toBe(200);
  });

  it('11: a key of a disabled workspace', async () => {
    const workspace = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'Lab' }, 201);
    const user = await operate<{ id: string }>(fixture, 'POST', 'users', { display_name: 'Bo', workspace_id: workspace.id }, 201);
    const { key } = await createKey(fixture, { user_id: user.id, workspace_id: workspace.id });
    expect((await call(url, { key })).status).toBe(200);
    await operate(fixture, 'PATCH', `workspaces/${workspace.id}`, { status: 'disabled' });
    const { status, body } = await call<ErrorBody>(url, { key });
    expect([status, body.error.code]).toEqual([403, 'workspace_disabled']);
  });

  it('12: a key without the scope', async () => {
    const { key } = await createKey(fixture, { scopes: ['audio'] });
    const { status, body } = await call<ErrorBody>(`${fixture.edge.url}/v1/chat/completions`, { method: 'POST', key, body: {} });
    expect([status, body.error.code, body.error.param, body.error.type]).toEqual([403, 'MISSING_SCOPE', 'chat', 'authorization_error']);
  });

  it('13: two Authorization headers', async () => {
    const auth = `Authorization: Bearer ${API_KEY}`;
    const { status, body } = await sendRaw(fixture.edge.port, head('GET /v1/models', 'Host: x', auth, auth));
    expect([status, (JSON.parse(body) as ErrorBody).error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('knows a key that was unknown a moment ago', async () => {
    const { key, id } = await createKey(fixture);
    await sql('UPDATE api_keys SET hash = $2 WHERE id = $1', [id, Buffer.from('elsewhere')]);
    expect((await call(url, { key })).status).toBe(401);
    expect((await call(url, { key: (await createKey(fixture)).key })).status).toBe(200);
  });
});

describe('keys across two edges', () => {
  let first: TestFixture;
  let second: TestFixture;
  beforeAll(async () => {
    first = await startFixture();
    // Without a notification it would accept the key for an hour.
    second = await startFixture({ databaseUrl: first.config.databaseUrl }, { cacheTimes: { maxAgeMs: 3_600_000, refreshMs: 3_600_000 } });
  });
  afterAll(async () => {
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
  });

  it('a revocation on one reaches the other', async () => {
    const { id, key } = await createKey(first);
    const other = `${second.edge.url}/v1/models`;
    await waitFor(async () => (await call<{ checks: { broker: { ok: boolean } } }>(`${second.edge.url}/readyz`)).body.checks.broker.ok);
    expect((await call(other, { key })).status).toBe(200);
    await operate(first, 'DELETE', `keys/${id}`);
    await waitFor(async () => (await call(other, { key })).status === 401);
  });

  it('the second start changes nothing, and does not bring a revoked preset key back', async () => {
    const [preset] = (await operate<{ id: string; name: string }[]>(first, 'GET', 'keys')).filter(({ name }) => name === 'bootstrap');
    await operate(first, 'DELETE', `keys/${preset?.id}`);
    const third = await startFixture({ databaseUrl: first.config.databaseUrl });
    const { status, body } = await call<ErrorBody>(`${third.edge.url}/v1/models`, { key: API_KEY });
    await third[Symbol.asyncDispose]();
    expect([status, body.error.code]).toEqual([401, 'REVOKED_API_KEY']);
  });
});
