import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@parley/kit/bus/bus';
import { createLogger } from '@parley/kit/log/logger';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { AssetChanged } from '@parley/protos/events/v1/events';
import { NOTICES } from '@parley/protos/subjects';
import OpenAI from 'openai';
import { type ChatStream, openChat } from './chat-stream.ts';
import { API_KEY, call, type TestFixture, startFixture } from './harness.ts';
import { ACCEPTED, artifact, PlayedTurn } from './played-turn.ts';

describe('assets of an answer', () => {
  let fixture: TestFixture;
  let bus: Bus;
  let latest: PlayedTurn | undefined;
  beforeAll(async () => {
    fixture = await startFixture({ assetWaitMs: 60_000 });
    bus = connectBus({ url: process.env.NATS_URL ?? '', name: 'test', log: createLogger({ service: 'test', level: 'silent' }) });
    await waitFor(() => bus.connected);
  });
  beforeEach(() => {
    latest = undefined;
    fixture.services.routing.turn = (_request, stream) => void (latest = new PlayedTurn(stream));
    fixture.services.assets.moved = (change) => bus.notify(NOTICES.assetChanged, AssetChanged.encode(change).finish());
  });
  afterEach(() => {
    fixture.services.assets.failure = undefined;
    fixture.services.assets.calls.length = 0;
  });
  afterAll(async () => {
    await bus.drain();
    await fixture[Symbol.asyncDispose]();
  });

  const open = async (fields?: Record<string, unknown>): Promise<[ChatStream, PlayedTurn]> => {
    const stream = await openChat(fixture, fields);
    return [stream, await waitFor(() => latest)];
  };
  const move = (id: string, status: string, change = {}) => fixture.services.assets.move(id, { status, ...change });
  const registered = (id: string) => waitFor(() => fixture.services.assets.kept.get(id));
  const heard = ({ words }: ChatStream, word: string) => waitFor(() => words.includes(word));
  const methods = () => fixture.services.assets.calls.map(({ method }) => method);

  it('are announced in order on the stream, which ends when the last of them is ready', async () => {
    const [stream, turn] = await open({ stream_options: { include_usage: true } });
    const { made } = turn;
    turn.say('Here it is.');
    turn.make();
    await heard(stream, 'asset.discovered');
    turn.end();
    await heard(stream, 'response.partially_completed');
    move(made.assetId, 'downloading');
    await heard(stream, 'asset.processing');
    move(made.assetId, 'validating');
    move(made.assetId, 'ready', { sizeBytes: 9, width: 4, height: 5, mimeType: 'image/webp' });
    await stream.ended;
    expect(stream.words).toEqual([
      ...['role', 'Here it is.', 'asset.discovered', 'stop', 'response.partially_completed'],
      ...['asset.processing', 'asset.ready', 'response.completed', 'usage', '[DONE]'],
    ]);
    const announced = stream.events.flatMap(({ lifecycle_event: event }) => (event?.asset ? [event] : []));
    expect(announced.map(({ asset }) => asset?.['status'])).toEqual(['discovered', 'downloading', 'ready']);
    expect(announced.at(-1)?.asset).toMatchObject({
      id: made.assetId,
      mime_type: 'image/webp',
      size_bytes: 9,
      width: 4,
      height: 5,
      download_url: `/v1/assets/${made.assetId}/download`,
    });
    for (const event of stream.events) {
      expect(event).toMatchObject({ object: 'chat.completion.chunk', model: 'm' });
      if (event.lifecycle_event) expect(event.choices).toEqual([{ index: 0, delta: {}, finish_reason: null }]);
    }
  });

  it('are made known once, for the conversation and the message, as the caller', async () => {
    const [stream, turn] = await open();
    const { made } = turn;
    turn.make();
    turn.make();
    await registered(made.assetId);
    move(made.assetId, 'ready');
    await heard(stream, 'asset.ready');
    turn.end();
    await stream.ended;
    const calls = fixture.services.assets.calls.filter(({ method }) => method === 'registerArtifacts');
    expect(calls.map(({ request }) => request)).toEqual([
      { conversationId: ACCEPTED.conversationId, messageId: ACCEPTED.messageId, artifacts: [made] },
    ]);
    expect(calls[0]?.call.caller.workspaceId).not.toBe('');
  });

  it('that are ready before the text ends need no wait', async () => {
    const [stream, turn] = await open();
    const { made } = turn;
    turn.make();
    await registered(made.assetId);
    move(made.assetId, 'ready');
    await heard(stream, 'asset.ready');
    turn.say('done');
    turn.end();
    await stream.ended;
    expect(stream.words).toEqual([
      ...['role', 'asset.discovered', 'asset.processing', 'asset.ready', 'done', 'stop', 'response.completed', '[DONE]'],
    ]);
  });

  it('that fail say why, and end the wait as well', async () => {
    const [stream, turn] = await open();
    const { made } = turn;
    turn.make();
    turn.end();
    await registered(made.assetId);
    move(made.assetId, 'failed', { errorCondition: 'PROVIDER_BAD_ANSWER', errorMessage: 'not a picture' });
    await stream.ended;
    const failed = stream.events.find(({ lifecycle_event: event }) => event?.type === 'asset.failed')?.lifecycle_event;
    expect(failed).toMatchObject({ error_code: 'PROVIDER_UNAVAILABLE', error_message: 'not a picture', asset: { status: 'failed' } });
    expect(stream.words.slice(-3)).toEqual(['asset.failed', 'response.completed', '[DONE]']);
  });

  it('are found by looking when no notice comes', async () => {
    fixture.services.assets.moved = () => undefined;
    const [stream, turn] = await open();
    const { made } = turn;
    turn.make();
    turn.end();
    await registered(made.assetId);
    move(made.assetId, 'ready');
    await stream.ended;
    expect(stream.words.filter((word) => word.startsWith('asset.'))).toEqual(['asset.discovered', 'asset.processing', 'asset.ready']);
  });

  it('are waited for all together', async () => {
    const [stream, turn] = await open();
    const { made } = turn;
    const second = artifact({ assetType: 'file', fileName: 'a.csv', mimeType: 'text/csv' });
    turn.make();
    turn.make(second);
    turn.end();
    await Promise.all([registered(made.assetId), registered(second.assetId)]);
    move(second.assetId, 'ready');
    await heard(stream, 'asset.ready');
    expect(stream.words).not.toContain('response.completed');
    move(made.assetId, 'ready');
    await stream.ended;
    const ready = stream.events.flatMap(({ lifecycle_event: event }) => (event?.type === 'asset.ready' ? [event.asset?.['id']] : []));
    expect(ready).toEqual([second.assetId, made.assetId]);
    expect(stream.words.slice(-2)).toEqual(['response.completed', '[DONE]']);
  });

  it('do not hold up the text while the asset service is away, are announced after it, and go on when the service is back', async () => {
    fixture.services.assets.failure = new GatewayError('SERVICE_UNAVAILABLE', 'away');
    const [stream, turn] = await open();
    const { made } = turn;
    turn.make();
    await waitFor(() => methods().includes('registerArtifacts'));
    turn.say('on and on');
    turn.end();
    await heard(stream, 'response.partially_completed');
    expect(stream.words).toEqual(['role', 'on and on', 'stop', 'asset.discovered', 'response.partially_completed']);
    fixture.services.assets.failure = undefined;
    await registered(made.assetId);
    move(made.assetId, 'ready');
    await stream.ended;
    expect(stream.words.slice(-2)).toEqual(['response.completed', '[DONE]']);
  });

  it('change nothing in a turn that fails', async () => {
    const [stream, turn] = await open();
    turn.make();
    await heard(stream, 'asset.discovered');
    turn.fail();
    await stream.ended;
    expect(stream.words).toEqual(['role', 'asset.discovered', 'response.failed', 'error', '[DONE]']);
  });

  it('cost nothing where there are none', async () => {
    const [stream, turn] = await open();
    turn.say('hi');
    turn.end();
    await stream.ended;
    const head = `data: {"id":"chatcmpl-${ACCEPTED.messageId}","object":"chat.completion.chunk","created":1700000000,"model":"m"`;
    expect(stream.text()).toBe(
      `${head},"conversation_id":"${ACCEPTED.conversationId}","message_id":"${ACCEPTED.messageId}","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n` +
        `${head},"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}\n\n` +
        `${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n` +
        `${head},"choices":[{"index":0,"delta":{},"finish_reason":null}],"lifecycle_event":{"type":"response.completed"}}\n\n` +
        'data: [DONE]\n\n',
    );
    expect(methods()).toEqual([]);
  });

  it('are tracked no longer when the client leaves', async () => {
    const [left, turn] = await open();
    const { made } = turn;
    turn.make();
    turn.end();
    await heard(left, 'response.partially_completed');
    left.hangUp();
    await waitFor(() => fixture.lines.findLast(({ operation, aborted }) => operation === 'createChatCompletion' && aborted === true));
    move(made.assetId, 'downloading');

    // What is said on one connection comes in order: when this stream has heard of its asset, the first one's notice has been heard too.
    fixture.services.assets.calls.length = 0;
    latest = undefined;
    const [stream, next] = await open();
    next.make();
    next.end();
    await registered(next.made.assetId);
    move(next.made.assetId, 'ready');
    await stream.ended;
    const asked = fixture.services.assets.calls.flatMap(({ request }) => (request as { ids?: string[] }).ids ?? []);
    expect(asked).not.toContain(made.assetId);
  });

  it('are in an answer that is not streamed, which waits for them', async () => {
    const asked = call<{ assets: { status: string }[]; choices: { message: { content: string } }[] }>(
      `${fixture.edge.url}/v1/chat/completions`,
      {
        method: 'POST',
        key: API_KEY,
        body: { model: 'auto', messages: [{ role: 'user', content: 'draw' }] },
      },
    );
    const turn = await waitFor(() => latest);
    const { made } = turn;
    turn.make();
    turn.end('[image]');
    await registered(made.assetId);
    move(made.assetId, 'ready');
    const { status, body } = await asked;
    expect([status, body.choices[0]?.message.content]).toEqual([200, '[image]']);
    expect(body.assets).toMatchObject([{ id: made.assetId, status: 'ready', download_url: `/v1/assets/${made.assetId}/download` }]);
  });

  it('are left out of an answer without any', async () => {
    const asked = call(`${fixture.edge.url}/v1/chat/completions`, {
      method: 'POST',
      key: API_KEY,
      body: { model: 'auto', messages: [{ role: 'user', content: 'hi' }] },
    });
    (await waitFor(() => latest)).end('hi');
    expect((await asked).body).not.toHaveProperty('assets');
  });

  it('do not trouble the official client, which reads text, usage and lifecycle events from one stream', async () => {
    const client = new OpenAI({ apiKey: API_KEY, baseURL: `${fixture.edge.url}/v1`, maxRetries: 0 });
    const stream = await client.chat.completions.create({
      model: 'auto',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'draw' }],
    });
    const turn = await waitFor(() => latest);
    const { made } = turn;
    turn.say('a cat');
    turn.make();
    turn.end();
    await registered(made.assetId);
    move(made.assetId, 'ready');
    let text = '';
    const lifecycle: string[] = [];
    let tokens: number | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      const { lifecycle_event: event } = chunk as { lifecycle_event?: { type: string } };
      if (event) lifecycle.push(event.type);
      tokens ??= chunk.usage?.total_tokens;
    }
    expect([text, tokens]).toEqual(['a cat', 3]);
    expect(lifecycle.filter((type) => type !== 'response.partially_completed')).toEqual([
      ...['asset.discovered', 'asset.processing', 'asset.ready', 'response.completed'],
    ]);
  });
});
