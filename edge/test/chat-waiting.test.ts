import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { once } from 'node:events';
import { connect } from 'node:net';
import OpenAI from 'openai';
import { openChat } from './chat-stream.ts';
import { API_KEY, bearer, call, type TestFixture, startFixture } from './harness.ts';
import { ACCEPTED, PlayedTurn } from './played-turn.ts';
import { head } from './raw-http.ts';

describe('a turn that its upstream takes long to accept', () => {
  let fixture: TestFixture;
  let latest: PlayedTurn | undefined;
  let asked: TurnRequest | undefined;
  let isWaiting = true;
  beforeAll(async () => (fixture = await startFixture({ pingIntervalMs: 50 })));
  beforeEach(() => {
    latest = asked = undefined;
    isWaiting = true;
    fixture.services.routing.turn = (request, stream) => {
      asked = request;
      latest = new PlayedTurn(stream, isWaiting);
    };
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const turn = () => waitFor(() => latest);
  const BODY = { model: 'auto', messages: [{ role: 'user', content: 'hi' }] };

  it('has its head and comments sent, and the role once it is accepted', async () => {
    const answer = await fetch(`${fixture.edge.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...bearer(API_KEY), 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, stream: true }),
    });
    expect([answer.status, answer.headers.get('x-service-conversation-id')]).toEqual([200, ACCEPTED.conversationId]);
    const played = await turn();
    let raw = '';
    const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    const read = async (until: string) => {
      for (let piece; !raw.includes(until) && !(piece = await reader.read()).done;) raw += piece.value;
    };
    await read(': ping\n\n: ping\n\n');
    expect(raw).toMatch(/^(: ping\n\n)+$/);
    played.accept({ model: 'of another account' });
    played.say('Hi');
    played.end();
    await read('[DONE]');
    expect(raw).toMatch(/^(: ping\n\n)+data: \{"id":"chatcmpl-[^{]*"model":"of another account","conversation_id"/);
  });

  it('is asked for with the milliseconds since the head of its request', async () => {
    isWaiting = false;
    const body = JSON.stringify(BODY);
    const socket = connect(fixture.edge.port, '127.0.0.1');
    const lines = ['Host: x', `Authorization: Bearer ${API_KEY}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    // The edge answers the expectation when it has the head.
    socket.write(head('POST /v1/chat/completions', ...lines, 'Expect: 100-continue'));
    await once(socket, 'data');
    const since = performance.now();
    await waitFor(() => performance.now() - since >= 30);
    socket.write(body);
    (await turn()).end('Hi');
    expect(asked?.edgeMs).toBeGreaterThanOrEqual(29);
    expect(Number.isInteger(asked?.edgeMs)).toBe(true);
    socket.destroy();
  });

  it('fails on the stream, with nothing before it', async () => {
    const stream = await openChat(fixture, { ...BODY });
    const played = await turn();
    expect([stream.status, stream.words]).toEqual([200, []]);
    played.fail();
    await stream.ended;
    expect(stream.words).toEqual(['response.failed', 'error', '[DONE]']);
    expect(stream.events.at(-1)).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } });
  });

  it('is understood by the official client, with comments between its events', async () => {
    let raw = '';
    const overheard: typeof fetch = async (...asks) => {
      const { body, ...answer } = await fetch(...asks);
      const tap = new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, out) => (void (raw += Buffer.from(bytes).toString()), out.enqueue(bytes)),
      });
      return new Response(body?.pipeThrough(tap), answer);
    };
    const client = new OpenAI({ apiKey: API_KEY, baseURL: `${fixture.edge.url}/v1`, maxRetries: 0, fetch: overheard });
    const stream = await client.chat.completions.create({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'hi' }] });
    const played = await turn();
    played.accept();
    played.say('Hel');
    let text = '';
    const read = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await waitFor(() => text === 'Hel' && raw.endsWith(': ping\n\n'));
    played.say('lo');
    played.end();
    await read;
    expect(text).toBe('Hello');
  });

  it('throws in the official client when it fails', async () => {
    const client = new OpenAI({ apiKey: API_KEY, baseURL: `${fixture.edge.url}/v1`, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'hi' }] });
    (await turn()).fail();
    const read = async () => {
      for await (const chunk of stream) expect(chunk.choices[0]?.finish_reason).toBe('error');
    };
    await expect(read()).rejects.toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } });
  });

  describe('once it is accepted', () => {
    beforeEach(() => void (isWaiting = false));

    it('has what the model thinks apart from the text', async () => {
      const stream = await openChat(fixture, { ...BODY });
      const played = await turn();
      played.think('Hm');
      played.say('Hi');
      played.end();
      await stream.ended;
      expect(stream.words).toEqual(['role', '(Hm)', 'Hi', 'stop', 'response.completed', '[DONE]']);

      latest = undefined;
      const whole = call<{ choices: { message: object }[] }>(`${fixture.edge.url}/v1/chat/completions`, {
        method: 'POST',
        key: API_KEY,
        body: BODY,
      });
      (await turn()).end('Hi', 'Hm');
      expect((await whole).body.choices[0]?.message).toEqual({ role: 'assistant', content: 'Hi', reasoning_content: 'Hm' });
    });

    it('was asked with the sampling parameters of the body', async () => {
      const stream = await openChat(fixture, { ...BODY, temperature: 0, max_tokens: null, stop: 7, seed: 3 });
      (await turn()).end();
      await stream.ended;
      expect(JSON.parse(asked?.parameters ?? '')).toEqual({ temperature: 0, seed: 3 });
    });
  });

  it('is refused as ever where nothing waits', async () => {
    fixture.services.routing.turn = (_request, stream) => stream.fail(new GatewayError('PROVIDER_TIMEOUT', 'late'));
    const { status } = await fetch(`${fixture.edge.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...bearer(API_KEY), 'content-type': 'application/json' },
      body: JSON.stringify({ ...BODY, stream: true }),
    });
    expect(status).toBe(504);
  });
});
