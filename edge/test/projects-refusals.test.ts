import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { form } from './forms.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';
import { createKey } from './operator.ts';

const BASE = '/v1/projects';
const ID = '01900000-0000-7000-8000-0000000000d1';
const ONE = `${BASE}/${ID}`;
const ONCE = { points: 1, seconds: 60, text: '1 per 1 minute' };
const OFTEN = { points: 100, seconds: 60, text: '100 per 1 minute' };

/** Every operation: method, path, body, and the class that throttles it. */
const OPERATIONS: [method: string, path: string, body: unknown, throttle: string | null][] = [
  ['GET', BASE, undefined, null],
  ['POST', BASE, { name: 'x' }, 'rate_limit'],
  ['GET', ONE, undefined, null],
  ['PATCH', ONE, { name: 'x' }, 'rate_limit'],
  ['DELETE', ONE, undefined, 'rate_limit'],
  ['GET', `${ONE}/files`, undefined, null],
  ['POST', `${ONE}/files`, form(), 'upload_rate_limit'],
  ['DELETE', `${ONE}/files/s1`, undefined, 'rate_limit'],
];

describe('projects refuse', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(() => {
    for (const service of [fixture.services.routing, fixture.services.assets]) {
      service.failure = undefined;
      service.calls = [];
    }
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const send = (method: string, path: string, body?: unknown, key?: string) =>
    call<ErrorBody>(fixture.edge.url + path, { method, ...(key !== undefined && { key }), ...(body !== undefined && { body }) });
  const calls = () => [...fixture.services.routing.calls, ...fixture.services.assets.calls];

  it('has every operation of the table above', async () => {
    const { body } = await call<{ paths: Record<string, Record<string, unknown>> }>(`${fixture.edge.url}/openapi-public.json`);
    const described = Object.entries(body.paths)
      .filter(([path]) => path.startsWith(BASE))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    const tested = OPERATIONS.map(([method, path]) => `${method} ${path.replace(ID, '{project_id}').replace('s1', '{source_id}')}`);
    expect(tested.sort()).toEqual(described.sort());
  });

  it.each(OPERATIONS)('%s %s rejects a request without a key, a key without the scope, and the operator', async (method, path, body) => {
    const { key } = await createKey(fixture, { scopes: ['chat', 'audio'] });
    expect(await send(method, path, body)).toMatchObject({ status: 401, body: { error: { code: 'MISSING_API_KEY' } } });
    expect(await send(method, path, body, key)).toMatchObject({
      status: 403,
      body: { error: { code: 'MISSING_SCOPE', param: 'conversations' } },
    });
    expect(await send(method, path, body, OPERATOR_KEY)).toMatchObject({ status: 403, body: { error: { code: 'TENANT_ACCESS_DENIED' } } });
    expect(calls()).toEqual([]);
  });

  it.each(OPERATIONS)('%s %s: passes on what the service behind it says', async (method, path, body) => {
    const failure = new GatewayError('UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'not on this tier');
    fixture.services.routing.failure = failure;
    fixture.services.assets.failure = failure;
    expect(await send(method, path, body, API_KEY)).toMatchObject({
      status: 403,
      body: { error: { code: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED', retryable: false } },
    });
    expect(calls()).toHaveLength(1);
  });

  it.each(['rate_limit', 'upload_rate_limit'])('what %s throttles, and nothing else', async (throttled) => {
    for (const [method, path, body, throttle] of OPERATIONS) {
      const policies = { rate_limit: OFTEN, upload_rate_limit: OFTEN, tts_rate_limit: OFTEN, [throttled]: ONCE };
      await using strict = await startFixture({ throttle: policies });
      const ask = () => call(strict.edge.url + path, { method, key: API_KEY, ...(body !== undefined && { body }) });
      await ask();
      expect([method, path, (await ask()).status === 429]).toEqual([method, path, throttle === throttled]);
    }
  });

  // A fourth parameter would look like Jest's `done` where a row has only three.
  it.each<[string, string, string, unknown?]>([
    ['POST', BASE, 'name', {}],
    ['POST', BASE, 'name', { name: '' }],
    ['POST', BASE, 'name', { name: ' \t ' }],
    ['POST', BASE, 'name', { name: null }],
    ['POST', BASE, 'name', { name: 7 }],
    ['POST', BASE, 'name', { name: 'a\nb' }],
    ['POST', BASE, 'name', { name: 'x'.repeat(201) }],
    ['POST', BASE, 'name', { name: 'x'.repeat(1_000_000) }],
    ['POST', BASE, 'name', { name: '\ud800' }],
    ['POST', BASE, 'instructions', { name: 'x', instructions: 7 }],
    ['POST', BASE, 'instructions', { name: 'x', instructions: 'x'.repeat(32_001) }],
    ['POST', BASE, 'instructions', { name: 'x', instructions: 'a\u0000b' }],
    ['POST', BASE, 'memory_policy', { name: 'x', memory_policy: 7 }],
    ['POST', BASE, 'memory_policy', { name: 'x', memory_policy: ['project_only'] }],
    ['POST', BASE, 'upstream_account_id', { name: 'x', upstream_account_id: 'sandbox' }],
    ['POST', BASE, 'body', []],
    ['PATCH', ONE, 'body', {}],
    ['PATCH', ONE, 'body', { slug: 'x' }],
    ['PATCH', ONE, 'name', { name: null }],
    ['PATCH', ONE, 'name', { name: '  ' }],
    ['PATCH', ONE, 'instructions', { instructions: 'x'.repeat(32_001) }],
    ['PATCH', `${BASE}/x`, 'project_id', { name: 'x' }],
    ['GET', `${BASE}?limit=201`, 'limit'],
    ['GET', `${BASE}?limit=-1`, 'limit'],
    ['GET', `${BASE}?limit=abc`, 'limit'],
    ['GET', `${BASE}?limit=1&limit=2`, 'limit'],
    ['GET', `${BASE}?offset=9223372036854775808`, 'offset'],
    ['GET', `${BASE}?search=a%00b`, 'search'],
    ['GET', `${BASE}?search=${'x'.repeat(501)}`, 'search'],
    ['GET', `${BASE}/research`, 'project_id'],
    ['GET', `${BASE}/a%00b`, 'project_id'],
    ['DELETE', `${BASE}/..%2f..%2fadmin`, 'project_id'],
    ['GET', `${BASE}/x/files`, 'project_id'],
    ['POST', `${BASE}/x/files`, 'project_id', form()],
    ['DELETE', `${BASE}/x/files/s1`, 'project_id'],
    ['DELETE', `${ONE}/files/a%00b`, 'source_id'],
    ['DELETE', `${ONE}/files/..%2f..%2fadmin`, 'source_id'],
    ['DELETE', `${ONE}/files/${'x'.repeat(201)}`, 'source_id'],
  ])('%s %s, naming %s', async (method, path, param, ...[body]) => {
    const answer = await send(method, path, body, API_KEY);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
    expect(calls()).toEqual([]);
  });

  it.each(['x', 'PROJECT_ONLY', '__proto__', 'x'.repeat(10_000)])('54: an unknown memory policy', async (memory_policy) => {
    const answer = await send('POST', BASE, { name: 'x', memory_policy }, API_KEY);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([422, 'INVALID_MEMORY_POLICY', 'memory_policy']);
    expect(calls()).toEqual([]);
  });
});
