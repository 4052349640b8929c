import { describe, expect, it } from '@jest/globals';
import { beforeEachOnSdkStage, data, refusing, type SdkStage, typed } from '../../../../test/sdk-stage.ts';
import { type ReceivedRequest, streaming } from '../../testing/upstream.ts';
import { cohere, deepSeek, groq, mistral, xai } from './api-key-providers.ts';
import { azure } from './azure.ts';

const chunk = (delta: object, rest: object = {}) =>
  data({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm1',
    choices: [{ index: 0, delta, finish_reason: null, ...rest }],
  });
const counts = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const counted = (rest: object) => data({ id: 'c1', created: 1, model: 'm1', choices: [], ...rest });
const openAiLike = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hel' }), chunk({ content: 'lo' })];
const stop = chunk({}, { finish_reason: 'stop' });
const DONE = 'data: [DONE]\n\n';

const cohereStream = [
  typed({ type: 'message-start', id: 'c1', delta: { message: { role: 'assistant' } } }),
  typed({ type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } }),
  typed({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hel' } } } }),
  typed({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'lo' } } } }),
  typed({ type: 'content-end', index: 0 }),
  typed({ type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 3, output_tokens: 4 } } } }),
];

const bearer = ({ headers }: ReceivedRequest) => headers.authorization;
const list = { data: [{ id: 'chat-1' }, { id: 'whisper-large-v3' }] };

describe.each([
  {
    kind: azure,
    path: '/chat/completions',
    key: ({ headers }: ReceivedRequest) => `Bearer ${String(headers['api-key'])}`,
    models: [] as string[],
  },
  {
    kind: mistral,
    answer: [
      ...openAiLike,
      chunk({ content: '' }, { finish_reason: 'stop' }),
      counted({ choices: [{ index: 0, delta: {} }], usage: counts }),
    ],
  },
  { kind: groq, answer: [...openAiLike, stop, counted({ x_groq: { id: 'r1', usage: counts } }), DONE] },
  { kind: xai },
  { kind: deepSeek },
  { kind: cohere, path: '/chat', answer: cohereStream, list: { models: [{ name: 'chat-1' }] } },
])('$kind.name over the AI SDK', (given) => {
  const { kind, path = '/chat/completions', key = bearer, models = ['chat-1'] } = given;
  const answer = given.answer ?? [...openAiLike, stop, counted({ usage: counts }), DONE];
  let stage: SdkStage;
  beforeEachOnSdkStage(kind, (entered) => (stage = entered));

  it('relays an answer with its counts', async () => {
    const sink = await stage.run(streaming(...answer));
    expect(sink).toMatchObject({ text: 'Hello', acceptances: 1 });
    expect(sink.outcomes).toEqual([
      { finishReason: 'stop', upstreamState: '', usage: { tokensIn: 3, tokensOut: 4 }, model: kind === cohere ? undefined : 'm1' },
    ]);
    const [asked] = stage.upstream.received;
    expect(asked).toMatchObject({ path: `/v1${path}`, body: { model: 'm1', stream: true } });
    expect(asked && key(asked)).toBe('Bearer sk-1');
  });

  it('maps error responses to coded errors', async () => {
    const body = { error: { message: 'no', type: 'x', code: null }, message: 'no' };
    await expect(stage.failed(refusing(401, body))).resolves.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    await expect(stage.failed(refusing(402, body))).resolves.toMatchObject({ condition: 'PROVIDER_NO_CREDIT' });
    await expect(stage.failed(refusing(429, body, { 'retry-after': '9' }))).resolves.toMatchObject({
      ...{ condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 9_000 },
    });
    expect(stage.upstream.received).toHaveLength(3);
  });

  it('reports that an answer broke off, with the text until then', async () => {
    const sink = await stage.run(streaming(...answer.slice(0, 3)));
    expect(sink.text).toMatch(/^Hel/);
    expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_UNAVAILABLE' } }]);
  });

  it('lists the models that chat', async () => {
    stage.upstream.script = refusing(200, given.list ?? list);
    await expect(stage.provider.test(stage.upstreamAccount)).resolves.toEqual({ models });
  });
});
