import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serve } from '@parley/kit/rpc/serve';
import { enableMetrics } from '@parley/kit/telemetry/meter';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ChatRoutingServiceService, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { parseChat } from '../src/routes/chat/parse-chat.ts';
import { MAX_CHAT_VALUES, MAX_INLINE_JSON_VALUES } from '../src/routes/chat/read-chat.ts';
import { API_KEY, bearer, call, captureLog, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate } from './operator.ts';
import { head } from './raw-http.ts';
import { readSeries } from './read-series.ts';

const CHAT = '/v1/chat/completions';
const IMAGE = `data:image/png;base64,${'iVBORw0KGgo'.repeat(30_000)}AAA=`;

/** Ten thousand messages, an image among them; two megabytes. */
const MANY = {
  model: 'auto',
  messages: [
    ...Array.from({ length: 9_998 }, (_, n) => ({ role: n % 2 ? 'assistant' : 'user', content: `${n} слово `.repeat(10) })),
    { role: 'developer', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] }, // oxfmt-ignore
    { role: 'user', content: [{ type: 'text', text: 'look' }, { type: 'image_url', image_url: { url: IMAGE } }] }, // oxfmt-ignore
  ],
};
/** As intricate, and small. */
const SHORT = { model: 'auto', messages: Array.from({ length: 6_000 }, () => ({ role: 'user', content: 'x' })) };

describe.each(['in-process', '127.0.0.1:0'] as const)('large chat bodies, with chat-routing at %s', (listen) => {
  let fixture: TestFixture;
  let heard: TurnRequest | undefined;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const other = await startFixture();
    const served = await serve(ChatRoutingServiceService, other.services.routing.handlers(), listen, captureLog().log);
    other.services.routing.turn = (request, stream) => {
      heard = request;
      stream.write({ event: { $case: 'accepted', value: { conversationId: 'c', messageId: 'm', model: 'm', created: 1 } } }, 1);
      stream.end({ event: { $case: 'completed', value: { finishReason: 'stop', tokensIn: 1, tokensOut: 1, reasoning: '', text: 'ok' } } });
    };
    fixture = await startFixture({ chatRoutingAddress: served.address });
    close = async () => {
      await fixture[Symbol.asyncDispose]();
      await served.close();
      await other[Symbol.asyncDispose]();
    };
  });
  afterAll(() => close());

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    call<ErrorBody>(fixture.edge.url + CHAT, { method: 'POST', key: API_KEY, body, headers });

  it.each([
    ['large', MANY],
    ['small and intricate', SHORT],
  ])('arrive as they were sent, as small ones do: %s', async (_name, body) => {
    const headers = { 'x-service-route-profile': 'cheap', 'idempotency-key': `k-${body.messages.length}` };
    expect((await send(body, headers)).status).toBe(200);
    expect(heard).toEqual({ ...parseChat(body, headers).turn, edgeMs: expect.any(Number) });
  });

  it('are refused as small ones are', async () => {
    const messages = [...MANY.messages.slice(0, 5_000), { role: 'wizard', content: 'x' }, ...MANY.messages.slice(0, 4_000)];
    const { status, body } = await send({ ...MANY, messages });
    expect([status, body.error.code, body.error.param]).toEqual([422, 'VALIDATION_ERROR', 'messages.5000.role']);
    const bad = await send({ model: 'auto', messages: [{ role: 'user', content: `${'x'.repeat(300_000)}\u0000` }] });
    expect([bad.status, bad.body.error.param]).toEqual([422, 'messages.0.content']);
  });
});

describe('hostile chat bodies', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    enableMetrics('test');
    fixture = await startFixture({ workspaceBodyBytes: 1_024 * 1_024 });
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  async function post(body: string | Buffer, headers: Record<string, string> = {}) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...bearer(API_KEY), ...headers }, body };
    const response = await fetch(fixture.edge.url + CHAT, init);
    return { status: response.status, ...((await response.json()) as ErrorBody) };
  }
  const padded = (field: string) => `{"model":"auto","messages":[{"role":"user","content":"hi"}],${field}}`;

  it('inflate no further than to a hundred times their size', async () => {
    const { status, error } = await post(gzipSync(padded(`"x":"${'x'.repeat(18_000_000)}"`)), { 'content-encoding': 'gzip' });
    expect([status, error.code, error.message]).toEqual([413, 'request_too_large', 'the body inflates to more than 100 times its size']);
  });

  it('may be compressed as far as text can be', async () => {
    const words = Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join(', ');
    expect((await post(gzipSync(padded(`"x":"${words}"`)), { 'content-encoding': 'gzip' })).status).toBe(200);
  });

  it.each([
    ['objects in tools', padded(`"tools":[${'{},'.repeat(MAX_CHAT_VALUES)}{}]`)],
    ['objects in 20 KB', gzipSync(padded(`"tools":[${'{},'.repeat(6_000_000)}{}]`))],
    ['content parts', `{"model":"auto","messages":[{"role":"user","content":[${'{},'.repeat(MAX_CHAT_VALUES)}{}]}]}`],
  ])('hold no more than so many values: %s', async (_name, body) => {
    const { status, error } = await post(body, typeof body === 'string' ? {} : { 'content-encoding': 'gzip' });
    expect([status, error.code, error.param]).toEqual([422, 'VALIDATION_ERROR', 'body']);
  });

  it.each([MAX_INLINE_JSON_VALUES / 4, MAX_CHAT_VALUES / 4])('are refused for the first of %d bad parts', async (count) => {
    const { status, error } = await post(`{"model":"auto","messages":[{"role":"user","content":[${'{},'.repeat(count)}{}]}]}`);
    expect([status, error.code, error.param]).toEqual([422, 'VALIDATION_ERROR', 'messages.0.content']);
  });

  it('take no more memory than the share of their workspace, and none from others', async () => {
    const large = padded(`"x":"${'x'.repeat(900_000)}"`);
    const lines = ['Host: x', `Authorization: Bearer ${API_KEY}`, 'Content-Type: application/json', `Content-Length: ${large.length}`];
    const slow = connect({ host: '127.0.0.1', port: fixture.edge.port });
    slow.write(head(`POST ${CHAT}`, ...lines) + large.slice(0, -1));
    await waitFor(async () => (await readSeries('parley_request_body_bytes')) === large.length - 1);
    const { error } = await post(large);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', retryable: true });
    expect((await post(padded('"x":1'))).status).toBe(200);

    const { id: workspace_id } = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'other' }, 201);
    const user = await operate<{ id: string }>(fixture, 'POST', 'users', { display_name: 'Ada', workspace_id }, 201);
    const other = await createKey(fixture, { workspace_id, user_id: user.id });
    expect((await post(large, bearer(other.key))).status).toBe(200);

    slow.destroy();
    await waitFor(async () => (await post(large)).status === 200);
  });
});
