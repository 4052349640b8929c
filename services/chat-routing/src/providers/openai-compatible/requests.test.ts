import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beforeEachOnCompatibleStage, chunk, type CompatibleStage, DONE, STOP } from '../../../test/compatible-stage.ts';
import { upstreamTurn } from '../testing/sink.ts';
import { type ResponseScript, streaming } from '../testing/upstream.ts';
import { toChatCompletionRequest } from './wire.ts';

const said = (role: string, text: string) => ({ id: text, role, text, parts: [], files: [], status: 'completed' });
const image = { content: { $case: 'imageUrl', value: 'data:image/png;base64,AA==' } } as const;
const asked = (history: ReturnType<typeof said>[], over = {}) =>
  JSON.parse(JSON.stringify(toChatCompletionRequest(upstreamTurn('http://u', over), history))) as {
    messages: { role: string; content: unknown }[];
  };

describe('requests to an openai-compatible upstream', () => {
  let stage: CompatibleStage;
  beforeEachOnCompatibleStage((entered) => (stage = entered));
  const account = () => ({ id: 'a', baseUrl: `${stage.upstream.url}/v1`, account: '', secret: 'sk-1' });
  const json =
    (body: unknown, status = 200): ResponseScript =>
    ({ res }) =>
      void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  it('joins messages of one role that follow each other, and leaves out empty answers', () => {
    const history = [
      said('system', 'a'),
      said('system', 'b'),
      said('user', 'one'),
      said('assistant', ' '),
      said('user', 'two'),
      said('assistant', 'ok'),
      said('user', ''),
    ];
    const messages = [
      { role: 'user', text: 'Look', parts: [{ content: { $case: 'text', value: 'Look' } }, image] },
      { role: 'user', text: 'Well?', parts: [] },
    ];
    expect(asked(history, { messages }).messages).toEqual([
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'user', content: 'one\n\ntwo' },
      { role: 'assistant', content: 'ok' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'text', text: 'Well?' },
        ],
      },
    ]);
  });

  it('never has two messages of a user in a row, nor an empty answer, whatever the record holds', () => {
    const message = fc
      .tuple(fc.constantFrom('system', 'user', 'assistant'), fc.constantFrom('', ' ', 'a', 'b'))
      .map(([role, text]) => said(role, text));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (history) => {
        const { messages } = asked(history);
        expect(messages.some(({ role }, at) => role === 'user' && messages[at + 1]?.role === 'user')).toBe(false);
        expect(messages.some(({ role, content }) => role === 'assistant' && String(content).trim() === '')).toBe(false);
        // Nothing that was said is lost.
        const of = (texts: string) => texts.replaceAll(/\s/g, '');
        expect(of(messages.map(({ content }) => content).join(''))).toBe(of(`${history.map(({ text }) => text).join('')}Hello`));
      }),
    );
  });

  it('has the parameters that are passed on, and none that replaces a field of the gateway', async () => {
    const parameters = {
      temperature: 0.1,
      stop: ['x'],
      seed: 7,
      model: 'other',
      messages: [],
      stream: false,
      tools: [],
      n: 2,
      response_format: { type: 'json_object' },
    };
    await stage.run(streaming(chunk('x'), STOP, DONE), { parameters });
    const body = stage.upstream.received[0]?.body;
    expect(body).toMatchObject({
      temperature: 0.1,
      stop: ['x'],
      seed: 7,
      response_format: { type: 'json_object' },
      model: 'm1',
      stream: true,
    });
    expect(body).toMatchObject({ messages: [{ role: 'user', content: 'Hello' }] });
    expect(Object.keys(body ?? {}).filter((name) => ['tools', 'n'].includes(name))).toEqual([]);
  });

  it('lists what chats first', async () => {
    const list = (data: unknown) => ((stage.upstream.script = json(data)), stage.provider.test(account()));
    const models = [{ id: 'text-embedding-3-small' }, { id: 'whisper-1' }, { id: 'gpt-4o' }, { id: 'gpt-4o-mini' }];
    await expect(list({ data: models })).resolves.toEqual({ models: ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'whisper-1'] });
    await expect(
      list([
        { id: 'a', type: 'image' },
        { id: 'b', type: 'chat' },
      ]),
    ).resolves.toEqual({ models: ['b', 'a'] });
    const known = [
      { id: 'a', architecture: { output_modalities: ['image'] } },
      { id: 'b', capabilities: { completion_chat: false } },
      { id: 'c', architecture: { output_modalities: ['text'] } },
      { id: 'd', architecture: 7, type: null },
    ];
    await expect(list({ data: known })).resolves.toEqual({ models: ['c', 'd', 'a', 'b'] });
  });

  it.each([
    [404, 'INVALID_REQUEST'],
    [400, 'INVALID_REQUEST'],
    [401, 'ACCOUNT_REAUTH_REQUIRED'],
    [402, 'PROVIDER_NO_CREDIT'],
    [403, 'PROVIDER_FORBIDDEN'],
    [500, 'PROVIDER_BAD_ANSWER'],
  ])('knows what it means that a list is refused with %i', async (status, condition) => {
    stage.upstream.script = json({}, status);
    await expect(stage.provider.test(account())).rejects.toMatchObject({ condition });
  });

  describe('by a probe', () => {
    const probe = () => stage.provider.probe?.(account(), 'm1');
    const answer = { choices: [{ message: { role: 'assistant', content: null }, finish_reason: 'length' }] };

    it('is one token', async () => {
      stage.upstream.script = json(answer);
      await probe();
      expect(stage.upstream.received).toMatchObject([
        {
          method: 'POST',
          path: '/v1/chat/completions',
          headers: { authorization: 'Bearer sk-1' },
          body: { model: 'm1', max_tokens: 1, messages: [{ role: 'user' }] },
        },
      ]);
      expect(stage.upstream.received[0]?.body).not.toHaveProperty('stream');
    });

    it('sends the limit under its newer name where the model requires that', async () => {
      const refuses = json({ error: { code: 'unsupported_parameter' } }, 400);
      stage.upstream.script = (received) => (received.body.max_tokens === undefined ? json(answer) : refuses)(received);
      await probe();
      expect(stage.upstream.received.map(({ body }) => body.max_completion_tokens)).toEqual([undefined, 16]);
    });

    it.each<[unknown, number, string]>([
      [{}, 401, 'ACCOUNT_REAUTH_REQUIRED'],
      [{ error: { code: 'model_not_found' } }, 404, 'PROVIDER_MODEL_NOT_FOUND'],
      [{ error: { message: 'broken' } }, 400, 'PROVIDER_REJECTED_REQUEST'],
      [{ error: { code: 429 } }, 200, 'PROVIDER_RATE_LIMITED'],
      [{ hello: 1 }, 200, 'PROVIDER_BAD_ANSWER'],
    ])('fails with what %j and %i mean', async (body, status, condition) => {
      stage.upstream.script = json(body, status);
      await expect(probe()).rejects.toMatchObject({ condition });
    });
  });
});
