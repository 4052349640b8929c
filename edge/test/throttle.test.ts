import { describe, expect, it } from '@jest/globals';
import { type EdgeConfig } from '../src/config.ts';
import { API_KEY, call, type ErrorBody, startFixture } from './harness.ts';

const TWO = { points: 2, seconds: 60, text: '2 per 1 minute' };
const BODY = { model: 'auto', messages: [{ role: 'user', content: 'hi' }] };

describe('endpoint throttling', () => {
  const policies = (rate_limit: EdgeConfig['throttle']['rate_limit']) => ({ rate_limit, upload_rate_limit: TWO, tts_rate_limit: TWO });
  const chat = (url: string, headers: Record<string, string> = {}) =>
    call<ErrorBody & { error: string }>(`${url}/v1/chat/completions`, { method: 'POST', key: API_KEY, body: BODY, headers });

  it('answers 429 with the string body and the headers', async () => {
    await using fixture = await startFixture({ throttle: policies(TWO) });
    expect([(await chat(fixture.edge.url)).status, (await chat(fixture.edge.url)).status]).toEqual([200, 200]);
    const { status, body, headers } = await chat(fixture.edge.url);
    expect([status, body]).toEqual([429, { error: 'Rate limit exceeded: 2 per 1 minute' }]);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['2', '0']);
    expect(headers.get('retry-after')).toBe(headers.get('x-ratelimit-reset'));
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-should-retry')).toBeNull();
    expect(headers.get('x-request-id')).not.toBeNull();
    expect((await call(`${fixture.edge.url}/v1/models`, { key: API_KEY })).status).toBe(200);
  });

  it('says on every answer of a throttled operation how the client stands, and on no other', async () => {
    await using fixture = await startFixture({ throttle: policies({ ...TWO, points: 4 }) });
    const { edge } = fixture;
    const standing = async (path: string, method: string, body?: unknown) => {
      const { status, headers } = await call(`${edge.url}${path}`, { method, key: API_KEY, body });
      const reset = headers.get('x-ratelimit-reset');
      return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining'), reset === null ? null : Number(reset)];
    };
    const within = expect.closeTo(60, -1);
    expect(await standing('/v1/chat/completions', 'POST', BODY)).toEqual([200, '4', '3', within]);
    expect(await standing('/v1/chat/completions', 'POST', {})).toEqual([422, '4', '2', within]);
    expect(await standing('/v1/projects', 'POST', {})).toEqual([422, '4', '1', within]);
    expect(await standing('/v1/audio/speech', 'POST', {})).toEqual([422, '2', '1', within]);
    expect(await standing('/v1/models', 'GET')).toEqual([200, null, null, null]);
    const streamed = await fetch(`${edge.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', origin: 'https://app.example.com' },
      body: JSON.stringify({ ...BODY, stream: true }),
    });
    await streamed.text();
    expect([streamed.headers.get('content-type'), streamed.headers.get('x-ratelimit-remaining')]).toEqual([
      'text/event-stream; charset=utf-8',
      '0',
    ]);
    expect(streamed.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Reset');
  });

  it('answers with the envelope where that is configured', async () => {
    await using fixture = await startFixture({ throttle: policies({ ...TWO, points: 1 }), throttleErrorFormat: 'object' });
    await chat(fixture.edge.url);
    const { body } = await chat(fixture.edge.url);
    expect(body.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error', retryable: true });
  });

  it('counts forwarded clients apart, and only behind a trusted proxy', async () => {
    await using fixture = await startFixture({ throttle: policies({ ...TWO, points: 1 }), trustedProxies: ['127.0.0.1'] });
    await using open = await startFixture({ throttle: policies({ ...TWO, points: 1 }) });
    const statuses = async (url: string) => [
      (await chat(url, { 'x-forwarded-for': '192.0.2.1' })).status,
      (await chat(url, { 'x-forwarded-for': '192.0.2.2' })).status,
      (await chat(url, { 'x-forwarded-for': '192.0.2.1' })).status,
    ];
    expect(await statuses(fixture.edge.url)).toEqual([200, 200, 429]);
    expect(await statuses(open.edge.url)).toEqual([200, 429, 429]);
  });

  it('ignores a forged X-Forwarded-For, and counts an IPv6 /64 as one client', async () => {
    await using fixture = await startFixture({ throttle: policies({ ...TWO, points: 1 }), trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
    const status = async (forwarded: string) => (await chat(fixture.edge.url, { 'x-forwarded-for': forwarded })).status;
    expect(await status('2001:db8:1:2::1')).toBe(200);
    expect(await status('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await status('2001:db8:1:3::1')).toBe(200);
    expect(await status('2001:db8::1')).toBe(200);
    expect(await status('2001:db8:0:0:9::1')).toBe(429);
    expect(await status('::ffff:192.0.2.1')).toBe(200);
    expect(await status('192.0.2.1')).toBe(429);
    // The last address that no trusted proxy has is the client; what stands before it anybody may have written.
    expect(await status('198.51.100.1, 192.0.2.1')).toBe(429);
    expect(await status('198.51.100.2, 192.0.2.1, 10.1.2.3')).toBe(429);
    expect(await status('198.51.100.1')).toBe(200);
  });
});
