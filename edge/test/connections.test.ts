import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { connection } from './fake-routing.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';

describe('GET /v1/connections', () => {
  let fixture: TestFixture;
  let url: string;
  beforeAll(async () => {
    fixture = await startFixture();
    url = fixture.edge.url;
  });
  beforeEach(() => {
    fixture.services.routing.connections = [connection()];
    fixture.services.routing.failure = undefined;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const get = <T = ErrorBody>(path: string, key = API_KEY) => call<T>(`${url}${path}`, { key });

  it('shows every field of a connection', async () => {
    fixture.services.routing.connections = [
      connection({ id: '01900000-0000-7000-8000-00000000000a', status: 'rate_limited', health: 'rate_limited', cooldownSeconds: 299 }),
    ];
    const { body, headers } = await get<unknown[]>('/v1/connections');
    expect(headers.get('x-total-count')).toBe('1');
    expect(body).toEqual([
      {
        id: '01900000-0000-7000-8000-00000000000a',
        label: 'sandbox',
        provider: 'sandbox',
        provider_family: 'sandbox',
        status: 'rate_limited',
        health: 'rate_limited',
        is_default: true,
        created_at: '2025-01-31T12:00:00.000Z',
        last_used_at: null,
        cooldown_seconds: 299,
      },
    ]);
  });

  it('pages with a total and links', async () => {
    fixture.services.routing.connections = Array.from({ length: 5 }, (_, i) => connection({ label: `a${i}` }));
    const { body, headers } = await get<{ label: string }[]>('/v1/connections?limit=2&offset=2&status=active');
    expect(body.map(({ label }) => label)).toEqual(['a2', 'a3']);
    expect(headers.get('x-total-count')).toBe('5');
    expect(headers.get('link')).toBe(
      [
        '</v1/connections?status=active&limit=2&offset=0>; rel="first"',
        '</v1/connections?status=active&limit=2&offset=0>; rel="prev"',
        '</v1/connections?status=active&limit=2&offset=4>; rel="next"',
        '</v1/connections?status=active&limit=2&offset=4>; rel="last"',
      ].join(', '),
    );
  });

  it.each([
    ['limit=-1', 'limit'],
    ['limit=0', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=1e9', 'limit'],
    ['limit=201', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=9223372036854775808', 'offset'],
    ['status=foo', 'status'],
  ])('refuses %s', async (query, param) => {
    const { status, body } = await get(`/v1/connections?${query}`);
    expect([status, body.error.code, body.error.param]).toEqual([422, 'VALIDATION_ERROR', param]);
  });

  it('passes an unreachable chat-routing on as 503', async () => {
    fixture.services.routing.failure = new GatewayError('SERVICE_UNAVAILABLE', 'gone', { retryAfterMs: 1_000 });
    const { status, body, headers } = await get('/v1/connections');
    expect([status, body.error.code, body.error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    expect([headers.get('retry-after'), headers.get('x-should-retry')]).toEqual(['1', null]);
  });
});
