import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { estimateSpeechMs } from '@parley/protos/quotas';
import { startEdgeServer } from '../src/server.ts';
import { SPOKEN_MS } from './fake-audio.ts';
import { type Answer, call, captureLog, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { operatorToken } from './operator.ts';

type Quotas = Record<string, string | null>;
interface Key {
  id: string;
  key: string;
  quotas: Quotas;
}

let fixture: TestFixture;
/** A second edge with the same database and the same services. */
let other: TestFixture['edge'];
beforeAll(async () => {
  fixture = await startFixture();
  other = await startEdgeServer({ ...fixture.config, port: 0 }, { log: captureLog().log });
});
afterAll(async () => {
  await other?.[Symbol.asyncDispose]();
  await fixture?.[Symbol.asyncDispose]();
});

const operate = async <T>(method: string, path: string, body: unknown) =>
  call<T>(`${fixture.edge.url}/admin/v1${path}`, { method, key: await operatorToken(fixture), body });
async function makeKey(quotas?: Quotas, workspaceId?: string): Promise<Key> {
  const scopes = ['chat', 'conversations', 'audio'];
  return (await operate<Key>('POST', '/keys', { name: 'k', scopes, quotas, workspace_id: workspaceId })).body;
}
const chat = (key: string, { url = fixture.edge.url, content = 'hi', stream = false } = {}) =>
  call<ErrorBody>(`${url}/v1/chat/completions`, {
    method: 'POST',
    key,
    body: { model: 'auto', stream, messages: [{ role: 'user', content }] },
  });
const post = (path: string, key: string, body: unknown) => call<ErrorBody>(`${fixture.edge.url}${path}`, { method: 'POST', key, body });
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe('quotas', () => {
  it('let in exactly the limit of 200 requests at once over two edges, and count the others as rate limited', async () => {
    const { id, key } = await makeKey({ requests: '60 per 1 day' });
    const before = fixture.services.quotas.leases.length;
    const urls = [fixture.edge.url, other.url];
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => chat(key, { url: urls[n % 2] })));
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(60);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(140);
    expect(fixture.services.quotas.used(id)).toBe(60);
    // Far from one for each request.
    expect(fixture.services.quotas.leases.length - before).toBeLessThan(60);
  });

  it('say what is used of them in lists that ask for it, and keep the lists while the counter is away', async () => {
    const { id, key } = await makeKey({ requests: '40 per 1 day', audio_seconds: '90 per 1 hour' });
    await chat(key);
    const list = async () =>
      (await operate<{ id: string; quota_use?: object[] }[]>('GET', '/keys?limit=200&include=quota_use', undefined)).body.find(
        (one) => one.id === id,
      );
    const none = { used: 0, window_ends_at: expect.stringMatching(/:\d\d\.000Z$/) as unknown };
    expect(await list()).toMatchObject({
      quota_use: [
        { ...none, metric: 'requests', limit: 40, used: 1, window_seconds: 86_400 },
        { ...none, metric: 'audio_seconds', limit: 90, window_seconds: 3_600 },
      ],
    });
    // It has leased more than it took.
    expect(fixture.services.quotas.used(id)).toBeGreaterThan(1);
    expect((await operate<object[]>('GET', '/keys?limit=200', undefined)).body.some((one) => 'quota_use' in one)).toBe(false);
    const { body: workspace } = await operate<{ id: string }>('POST', '/workspaces', {
      name: 'Bounded',
      quotas: { tokens: '5 per 1 day' },
    });
    expect((await operate('GET', `/workspaces/${workspace.id}?include=quota_use`, undefined)).body).toMatchObject({
      quota_use: [{ metric: 'tokens', limit: 5, used: 0 }],
    });
    fixture.services.quotas.isAway = true;
    expect(await list()).not.toHaveProperty('quota_use');
    fixture.services.quotas.isAway = false;
  });

  it('answer 429 in the envelope, with the numbers of the quota', async () => {
    const { key } = await makeKey({ requests: '1 per 1 hour' });
    expect((await chat(key)).status).toBe(200);
    const { status, headers, body } = await chat(key);
    expect(status).toBe(429);
    expect(body.error).toMatchObject({
      code: 'rate_limit_exceeded',
      type: 'rate_limit_error',
      retryable: true,
      message: 'the key has used up its quota of requests: 1 per 1 hour',
    });
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['1', '0']);
    expect(headers.get('retry-after')).toBe(headers.get('x-ratelimit-reset'));
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
  });

  it('are shown in the headers of answers, counted down to none', async () => {
    const { key } = await makeKey({ requests: '3 per 1 hour', tokens: '1000000 per 1 day' });
    const shown = ({ headers }: Answer) => [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
    for (const left of ['2', '1', '0']) {
      const answer = await chat(key);
      expect([answer.status, ...shown(answer)]).toEqual([200, '3', left]);
      expect(Number(answer.headers.get('x-ratelimit-reset'))).toBeGreaterThan(3_500);
    }
    expect(shown(await chat(key))).toEqual(['3', '0']);
  });

  it('are not shown while the throttle is nearer to its end, or without any', async () => {
    const limit = async (quotas?: Quotas) => (await chat((await makeKey(quotas)).key)).headers.get('x-ratelimit-limit');
    const ofThrottle = String(fixture.config.throttle.rate_limit.points);
    expect(await limit()).toBe(ofThrottle);
    expect(await limit({ requests: '1000000 per 1 day' })).toBe(ofThrottle);
  });

  it('show audio in seconds', async () => {
    const { key } = await makeKey({ audio_seconds: '10 per 1 day' });
    const { status, headers } = await post('/v1/audio/generations', key, { input: 'x'.repeat(100), voice: 'slt' });
    const left = Math.floor((10_000 - estimateSpeechMs(100)) / 1_000);
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([202, '10', String(left)]);
  });

  it('hold for all keys of a workspace together', async () => {
    const { body: workspace } = await operate<{ id: string; quotas: Quotas }>('POST', '/workspaces', {
      name: 'w',
      quotas: { requests: '3 PER 2  days' },
    });
    expect(workspace.quotas).toEqual({ requests: '3 per 2 days', tokens: null, audio_seconds: null });
    const user = await operate<{ id: string }>('POST', '/users', { display_name: 'u', workspace_id: workspace.id });
    const create = () => operate<Key>('POST', '/keys', { name: 'k', workspace_id: workspace.id, user_id: user.body.id });
    const [first, second] = [(await create()).body.key, (await create()).body.key];
    expect(statuses([await chat(first), await chat(second), await chat(first), await chat(second)])).toEqual([200, 200, 200, 429]);
  });

  it('are set, shown, raised and taken away while they are in use', async () => {
    const { id, key, quotas } = await makeKey({ requests: '1 per 1 day' });
    expect(quotas).toEqual({ requests: '1 per 1 day', tokens: null, audio_seconds: null });
    expect(statuses([await chat(key), await chat(key)])).toEqual([200, 429]);
    const raised = await operate<Key>('PATCH', `/keys/${id}`, { quotas: { requests: '2 per 1 day', tokens: 'unlimited' } });
    expect([raised.status, raised.body.quotas]).toEqual([200, { requests: '2 per 1 day', tokens: 'unlimited', audio_seconds: null }]);
    await waitFor(async () => (await chat(key)).status === 200);
    expect((await chat(key)).status).toBe(429);
    await operate('PATCH', `/keys/${id}`, { name: 'renamed', quotas: { requests: null } });
    expect(statuses([await chat(key), await chat(key)])).toEqual([200, 200]);
  });

  it.each([
    ['requests', '0 per 1 day'],
    ['tokens', 'many'],
    ['audio_seconds', '5 per 1 fortnight'],
  ])('are refused when they are no policy: %s %j', async (name, value) => {
    const { status, body } = await operate<ErrorBody>('POST', '/keys', { name: 'k', quotas: { [name]: value } });
    expect([status, body.error]).toEqual([422, expect.objectContaining({ code: 'VALIDATION_ERROR', param: `quotas.${name}` })]);
    expect((await operate('PATCH', '/keys/0190a000-0000-7000-8000-00000000000a', { name: 'n' })).status).toBe(404);
  });

  it('count the tokens that a turn took, and not those it might have taken', async () => {
    const { id, key } = await makeKey({ tokens: '100000 per 1 day' });
    let used = 0;
    for (const stream of [false, true]) {
      const response = await fetch(`${fixture.edge.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'auto',
          stream,
          stream_options: { include_usage: true },
          messages: [{ role: 'user', content: 'hi' }],
        }),
      });
      const text = await response.text();
      const [, total] = /"total_tokens":(\d+)/.exec(text) ?? [];
      expect(Number(total)).toBeGreaterThan(0);
      used += Number(total);
      const counted = used;
      await waitFor(() => fixture.services.quotas.used(id, 'tokens') === counted);
    }
  });
  it('refuse a turn that is expected to take more tokens than are left', async () => {
    const { key } = await makeKey({ tokens: '2000 per 1 day' });
    expect((await chat(key)).status).toBe(200);
    const { status, body } = await chat(key, { content: 'long '.repeat(1_600) });
    expect([status, body.error.message]).toEqual([429, 'the key has used up its quota of tokens: 2000 per 1 day']);
  });

  it('count the audio of what is spoken at once, and expect it of a job', async () => {
    const { id, key } = await makeKey({ audio_seconds: '600 per 1 day', requests: '100 per 1 day' });
    expect((await post('/v1/audio/generations', key, { input: 'x'.repeat(100), voice: 'slt' })).status).toBe(202);
    const spoken = await fetch(`${fixture.edge.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'hello', voice: 'alloy' }),
    });
    expect(spoken.status).toBe(200);
    await spoken.arrayBuffer();
    const wanted = estimateSpeechMs(100) + SPOKEN_MS;
    await waitFor(() => fixture.services.quotas.used(id, 'audio_ms') === wanted);
    expect(fixture.services.quotas.used(id)).toBe(2);
  });

  it('refuse audio with a code of its own', async () => {
    const { key } = await makeKey({ audio_seconds: '10 per 1 day' });
    expect((await post('/v1/audio/generations', key, { input: 'x'.repeat(140), voice: 'slt' })).status).toBe(202);
    const { status, body, headers } = await post('/v1/audio/generations', key, { input: 'x'.repeat(140), voice: 'slt' });
    expect([status, body.error.code, headers.get('x-ratelimit-limit')]).toEqual([429, 'AUDIO_QUOTA_EXCEEDED', '10']);
  });

  it('cost a request that is not well-formed nothing', async () => {
    const { key } = await makeKey({ requests: '1 per 1 day' });
    expect((await post('/v1/chat/completions', key, { model: 'auto', messages: [] })).status).toBe(422);
    expect((await post('/v1/audio/generations', key, { input: '', voice: 'slt' })).status).toBe(422);
    expect((await chat(key)).status).toBe(200);
  });

  it('do not delay keys without quotas, and reject the others within two seconds, when the counter does not answer', async () => {
    const [free, bound] = [await makeKey(), await makeKey({ requests: '1000 per 1 day' })];
    await chat(bound.key);
    fixture.services.quotas.isAway = true;
    try {
      const late = await makeKey({ requests: '5 per 1 day' });
      const { status, body, headers } = await chat(late.key);
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
      // What is in hand goes on.
      expect(statuses([await chat(free.key), await chat(bound.key), await chat(bound.key)])).toEqual([200, 200, 200]);
    } finally {
      fixture.services.quotas.isAway = false;
    }
  });

  it('give back what is in hand when an edge drains', async () => {
    await using stopping = await startFixture();
    const response = await call<Key>(`${stopping.edge.url}/admin/v1/keys`, {
      method: 'POST',
      key: await operatorToken(stopping),
      body: { name: 'k', quotas: { requests: '1000 per 1 day' } },
    });
    const { id, key } = response.body;
    await chat(key, { url: stopping.edge.url });
    expect(stopping.services.quotas.used(id)).toBeGreaterThan(1);
    await stopping.edge.drain();
    expect(stopping.services.quotas.used(id)).toBe(1);
  });

  it('fall back to those of the environment, which a key may be freed of', async () => {
    const one = { points: 1, seconds: 86_400, text: '1 per 1 day' };
    const none = { requests: undefined, tokens: undefined, audioSeconds: undefined };
    await using strict = await startFixture({ quotas: { key: { ...none, requests: one }, workspace: none } });
    const create = async (quotas?: Quotas) =>
      (
        await call<Key>(`${strict.edge.url}/admin/v1/keys`, {
          method: 'POST',
          key: await operatorToken(strict),
          body: { name: 'k', quotas },
        })
      ).body.key;
    const [usual, freed] = [await create(), await create({ requests: 'unlimited' })];
    const twice = async (key: string) => statuses([await chat(key, { url: strict.edge.url }), await chat(key, { url: strict.edge.url })]);
    expect(await twice(usual)).toEqual([200, 429]);
    expect(await twice(freed)).toEqual([200, 200]);
  });
});
