import { describe, expect, it } from '@jest/globals';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type TurnEvent } from '@parley/protos/routing/v1/routing';
import { startEdgeServer } from '../src/server.ts';
import { API_KEY, call, captureLog, type ErrorBody, startFixture } from './harness.ts';

const BODY = { model: 'auto', messages: [{ role: 'user', content: 'hi' }], stream: true };
const ACCEPTED = {
  conversationId: '01900000-0000-7000-8000-00000000000c',
  messageId: '01900000-0000-7000-8000-00000000000d',
  model: 'm',
  created: 1,
};

describe('drain', () => {
  it('refuses new requests, lets an open turn finish, and says so to probes', async () => {
    await using fixture = await startFixture();
    const { url } = fixture.edge;
    let turn: ServerStream<TurnEvent> | undefined;
    fixture.services.routing.turn = (_request, stream) => {
      turn = stream;
      stream.write({ event: { $case: 'accepted', value: ACCEPTED } }, 10);
    };
    const open = fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
    });
    await waitFor(() => turn);
    const answer = await open;

    let drained = false;
    const drain = fixture.edge.drain().then(() => (drained = true));
    const ready = await call<{ status: string }>(`${url}/readyz`);
    expect([ready.status, ready.body.status]).toEqual([503, 'draining']);
    expect((await call(`${url}/livez`)).status).toBe(200);
    const refused = await call<ErrorBody>(`${url}/v1/models`, { key: API_KEY });
    expect([refused.status, refused.body.error.code, refused.body.error.retryable]).toEqual([503, 'shutting_down', true]);
    expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['1', 'close']);
    expect(drained).toBe(false);

    turn?.write({ event: { $case: 'deltas', value: { texts: ['the end'] } } }, 10);
    turn?.end({ event: { $case: 'completed', value: { finishReason: 'stop', tokensIn: 1, tokensOut: 1, text: '', reasoning: '' } } });
    expect(await answer.text()).toMatch(/the end[\s\S]*data: \[DONE\]\n\n$/);
    await drain;
  });

  it('serves new requests on connections of their own while balancers find out that it leaves, and refuses them then', async () => {
    await using fixture = await startFixture({ lameDuckMs: 2_000 });
    const { url } = fixture.edge;
    fixture.services.routing.turn = (_request, stream) => {
      stream.write({ event: { $case: 'accepted', value: ACCEPTED } }, 10);
      stream.end({ event: { $case: 'completed', value: { finishReason: 'stop', tokensIn: 1, tokensOut: 1, text: 'hi', reasoning: '' } } });
    };
    const ask = () => call<ErrorBody>(`${url}/v1/chat/completions`, { method: 'POST', key: API_KEY, body: { ...BODY, stream: false } });
    const before = await ask();
    expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);

    const drain = fixture.edge.drain();
    const ready = await call<{ status: string }>(`${url}/readyz`);
    expect([ready.status, ready.body.status]).toEqual([503, 'draining']);
    const served = await ask();
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    const refused = await waitFor(async () => [await ask()].find(({ status }) => status !== 200));
    expect([refused.status, refused.body.error.code]).toEqual([503, 'shutting_down']);
    await drain;
  });

  it('ends although a turn does not', async () => {
    await using fixture = await startFixture({ drainMs: 100 });
    let begun = false;
    fixture.services.routing.turn = () => (begun = true);
    const open = call(`${fixture.edge.url}/v1/chat/completions`, { method: 'POST', key: API_KEY, body: BODY }).catch(() => undefined);
    await waitFor(() => begun);
    await fixture.edge.drain();
    await fixture[Symbol.asyncDispose]();
    await open;
  });
});

describe('start', () => {
  it('names a port that is taken in one line', async () => {
    await using fixture = await startFixture();
    const config = { ...fixture.config, port: fixture.edge.port };
    await expect(startEdgeServer(config, { log: captureLog().log })).rejects.toThrow(
      `port ${fixture.edge.port} of 127.0.0.1 is taken; choose another one with PARLEY_PORT`,
    );
  });
});
