import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { form } from './forms.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';
import { createKey } from './operator.ts';

const BASE = '/v1/conversations';
const ID = '01900000-0000-7000-8000-0000000000c1';
const ONE = `${BASE}/${ID}`;
const USER = '01900000-0000-7000-8000-0000000000a1';
const TWO = { points: 2, seconds: 60, text: '2 per 1 minute' };

/** Every operation: method, path, body, and whether it is throttled. */
const OPERATIONS: [method: string, path: string, body: unknown, throttled: boolean][] = [
  ['POST', BASE, {}, false],
  ['GET', BASE, undefined, false],
  ['GET', ONE, undefined, false],
  ['PATCH', ONE, undefined, true],
  ['DELETE', ONE, undefined, true],
  ['GET', `${ONE}/messages`, undefined, false],
  ['GET', `${ONE}/assets`, undefined, false],
  ['POST', `${ONE}/sync`, undefined, true],
  ['POST', `${ONE}/archive`, undefined, true],
  ['POST', `${ONE}/restore`, undefined, true],
  ['POST', `${ONE}/share`, { user_id: USER, role: 'viewer' }, true],
  ['POST', `${ONE}/transfer`, { user_id: USER }, true],
  ['GET', `${ONE}/participants`, undefined, false],
  ['PATCH', `${ONE}/participants/${USER}`, { role: 'viewer' }, true],
  ['DELETE', `${ONE}/participants/${USER}`, undefined, true],
  ['POST', `${ONE}/attachments`, form(), true],
  ['GET', `/v1/messages/${ID}`, undefined, false],
];

describe('conversations refuse', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => {
    fixture.services.conversations.failure = undefined;
    fixture.services.routing.failure = undefined;
    fixture.services.assets.failure = undefined;
    fixture.services.conversations.calls = [];
    fixture.services.routing.calls = [];
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const send = (method: string, path: string, body?: unknown, key?: string) =>
    call<ErrorBody>(fixture.edge.url + path, { method, ...(key !== undefined && { key }), ...(body !== undefined && { body }) });

  it('has every operation of the table above', async () => {
    const { body } = await call<{ paths: Record<string, Record<string, unknown>> }>(`${fixture.edge.url}/openapi-public.json`);
    const described = Object.entries(body.paths)
      .filter(([path]) => path.startsWith(BASE) || path.startsWith('/v1/messages'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    const tested = OPERATIONS.map(([method, path]) => `${method} ${path}`);
    const templated = tested.map((one) =>
      one.replace(`/v1/messages/${ID}`, '/v1/messages/{message_id}').replace(ID, '{conversation_id}').replace(USER, '{user_id}'),
    );
    expect(templated.sort()).toEqual(described.sort());
  });

  it.each(OPERATIONS)('%s %s rejects a request without a key, a key without the scope, and the operator', async (method, path, body) => {
    const { key } = await createKey(fixture, { scopes: ['chat', 'audio'] });
    expect(await send(method, path, body)).toMatchObject({ status: 401, body: { error: { code: 'MISSING_API_KEY' } } });
    expect(await send(method, path, body, key)).toMatchObject({
      status: 403,
      body: { error: { code: 'MISSING_SCOPE', param: 'conversations' } },
    });
    expect(await send(method, path, body, OPERATOR_KEY)).toMatchObject({ status: 403, body: { error: { code: 'TENANT_ACCESS_DENIED' } } });
    expect([...fixture.services.conversations.calls, ...fixture.services.routing.calls]).toEqual([]);
  });

  it.each(OPERATIONS)('%s %s: passes on what the service behind it says', async (method, path, body) => {
    const failure = new GatewayError('CONVERSATION_ACCESS_DENIED', 'not yours');
    fixture.services.conversations.failure = failure;
    fixture.services.routing.failure = failure;
    fixture.services.assets.failure = failure;
    expect(await send(method, path, body, API_KEY)).toMatchObject({ status: 403, body: { error: { code: 'CONVERSATION_ACCESS_DENIED' } } });
  });

  it.each(OPERATIONS)('%s %s: throttled where its row says so', async (method, path, body, throttled) => {
    const policies = { rate_limit: { ...TWO, points: 1 }, upload_rate_limit: TWO, tts_rate_limit: TWO };
    await using strict = await startFixture({ throttle: policies });
    const ask = () => call(strict.edge.url + path, { method, key: API_KEY, ...(body !== undefined && { body }) });
    await ask();
    expect((await ask()).status === 429).toBe(throttled);
  });

  // A fourth parameter would look like Jest's `done` where a row has only three.
  it.each<[string, string, string, unknown?]>([
    ['GET', `${BASE}?limit=-1`, 'limit'],
    ['GET', `${BASE}?limit=0`, 'limit'],
    ['GET', `${BASE}?limit=abc`, 'limit'],
    ['GET', `${BASE}?limit=1e9`, 'limit'],
    ['GET', `${BASE}?limit=201`, 'limit'],
    ['GET', `${BASE}?limit=1&limit=2`, 'limit'],
    ['GET', `${BASE}?offset=9223372036854775808`, 'offset'],
    ['GET', `${BASE}?offset=-1`, 'offset'],
    ['GET', `${BASE}?search=a%00b`, 'search'],
    ['GET', `${BASE}?search=${'x'.repeat(501)}`, 'search'],
    ['GET', `${BASE}?search=a&search=b`, 'search'],
    ['GET', `${BASE}?account_filter=x`, 'account_filter'],
    ['GET', `${BASE}?project_filter=x`, 'project_filter'],
    ['GET', `${BASE}?destination_filter=foo`, 'destination_filter'],
    ['GET', `${BASE}?status_filter=deleted`, 'status_filter'],
    ['GET', `${BASE}?pinned_only=1`, 'pinned_only'],
    ['PATCH', `${ONE}?pinned=maybe`, 'pinned'],
    ['PATCH', `${ONE}?pinned=true&pinned=false`, 'pinned'],
    ['PATCH', `${ONE}?title=`, 'title'],
    ['PATCH', `${ONE}?title=%20%20`, 'title'],
    ['PATCH', `${ONE}?title=a%00b`, 'title'],
    ['PATCH', `${ONE}?title=${'x'.repeat(201)}`, 'title'],
    ['GET', `${BASE}/x`, 'conversation_id'],
    ['GET', `${BASE}/a%00b`, 'conversation_id'],
    ['GET', `${BASE}/..%2f..%2fadmin`, 'conversation_id'],
    ['DELETE', `${BASE}/${ID}x`, 'conversation_id'],
    ['PATCH', `${ONE}/participants/x`, 'user_id', { role: 'viewer' }],
    ['DELETE', `${ONE}/participants/x`, 'user_id'],
    ['PATCH', `${ONE}/participants/${USER}`, 'role', { role: 'owner' }],
    ['PATCH', `${ONE}/participants/${USER}`, 'role', {}],
    ['POST', `${ONE}/share`, 'user_id', { role: 'viewer' }],
    ['POST', `${ONE}/share`, 'user_id', { user_id: 'x', role: 'viewer' }],
    ['POST', `${ONE}/share`, 'role', { user_id: USER }],
    ['POST', `${ONE}/share`, 'role', { user_id: USER, role: 'owner' }],
    ['POST', `${ONE}/share`, 'body', []],
    ['POST', `${ONE}/transfer`, 'user_id', {}],
    ['POST', `${ONE}/transfer`, 'user_id', { user_id: 7 }],
    ['POST', BASE, 'body', []],
    ['POST', BASE, 'title', { title: 7 }],
    ['POST', BASE, 'title', { title: 'a\nb' }],
    ['POST', BASE, 'title', { title: 'x'.repeat(201) }],
    ['POST', BASE, 'title', { title: '\ud800' }],
    ['POST', BASE, 'upstream_project_id', { upstream_project_id: 'trains' }],
    ['POST', BASE, 'upstream_account_id', { upstream_account_id: 'sandbox' }],
    ['POST', BASE, 'model', { model: '' }],
    ['GET', '/v1/messages/x', 'message_id'],
  ])('%s %s, naming %s', async (method, path, param, ...[body]) => {
    const answer = await send(method, path, body, API_KEY);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
    expect([...fixture.services.conversations.calls, ...fixture.services.routing.calls]).toEqual([]);
  });

  it('a body that is not JSON, or of another type', async () => {
    const post = (body: string, type: string) =>
      fetch(fixture.edge.url + BASE, { method: 'POST', headers: { authorization: `Bearer ${API_KEY}`, 'content-type': type }, body });
    expect((await post('{', 'application/json')).status).toBe(422);
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect((await post(JSON.stringify({ title: 'x'.repeat(2 ** 20) }), 'application/json')).status).toBe(413);
  });
});
