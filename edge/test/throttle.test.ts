import { describe, expect, it } from '@jest/globals';
import { type EdgeConfig } from '../src/config.ts';
import { API_KEY, call, type ErrorBody, startHouse } from './harness.ts';

const TWO = { points: 2, seconds: 60, text: '2 per 1 minute' };
const BODY = { model: 'auto', messages: [{ role: 'user', content: 'hi' }] };

describe('endpoint throttling (spec §8)', () => {
  const policies = (rate_limit: EdgeConfig['throttle']['rate_limit']) => ({ rate_limit, upload_rate_limit: TWO, tts_rate_limit: TWO });
  const chat = (url: string, headers: Record<string, string> = {}) =>
    call<ErrorBody & { error: string }>(`${url}/v1/chat/completions`, { method: 'POST', key: API_KEY, body: BODY, headers });

  it('answers 429 with the string body and the headers', async () => {
    await using house = await startHouse({ throttle: policies(TWO) });
    expect([(await chat(house.edge.url)).status, (await chat(house.edge.url)).status]).toEqual([200, 200]);
    const { status, body, headers } = await chat(house.edge.url);
    expect([status, body]).toEqual([429, { error: 'Rate limit exceeded: 2 per 1 minute' }]);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['2', '0']);
    expect(headers.get('retry-after')).toBe(headers.get('x-ratelimit-reset'));
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-should-retry')).toBeNull();
    expect(headers.get('x-request-id')).not.toBeNull();
    expect((await call(`${house.edge.url}/v1/models`, { key: API_KEY })).status).toBe(200);
  });

  it('answers with the envelope where that is configured', async () => {
    await using house = await startHouse({ throttle: policies({ ...TWO, points: 1 }), throttleErrorFormat: 'object' });
    await chat(house.edge.url);
    const { body } = await chat(house.edge.url);
    expect(body.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error', retryable: true });
  });

  it('counts forwarded clients apart, and only behind a trusted proxy', async () => {
    await using house = await startHouse({ throttle: policies({ ...TWO, points: 1 }), trustedProxies: ['127.0.0.1'] });
    await using open = await startHouse({ throttle: policies({ ...TWO, points: 1 }) });
    const statuses = async (url: string) => [
      (await chat(url, { 'x-forwarded-for': '192.0.2.1' })).status,
      (await chat(url, { 'x-forwarded-for': '192.0.2.2' })).status,
      (await chat(url, { 'x-forwarded-for': '192.0.2.1' })).status,
    ];
    expect(await statuses(house.edge.url)).toEqual([200, 200, 429]);
    expect(await statuses(open.edge.url)).toEqual([200, 429, 429]);
  });
});
