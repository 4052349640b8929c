import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { Readable } from 'node:stream';
import { beforeEachOnSdkStage, refusing, type SdkStage, typed } from '../../../../test/sdk-stage.ts';
import { type ResponseScript, stream, streaming } from '../../testing/upstream.ts';
import { anthropic } from './anthropic.ts';

const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 };
const START = typed({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm1', content: [], stop_reason: null, usage },
});
const PING = typed({ type: 'ping' });
const open = (index: number, content_block: object) => typed({ type: 'content_block_start', index, content_block });
const delta = (index: number, change: object) => typed({ type: 'content_block_delta', index, delta: change });
const close = (index: number) => typed({ type: 'content_block_stop', index });
const text = (said: string) => open(0, { type: 'text', text: '' }) + delta(0, { type: 'text_delta', text: said }) + close(0);
const end = (stop_reason = 'end_turn') =>
  typed({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 40 } }) +
  typed({ type: 'message_stop' });
const error = (type: string, message: string) => ({ type: 'error', error: { type, message } });

describe('Anthropic over the AI SDK', () => {
  let stage: SdkStage;
  beforeEachOnSdkStage(anthropic, (entered) => (stage = entered));
  const asked = () => stage.upstream.received[0];

  it('relays text and thoughts apart, and counts what the cache had', async () => {
    const thoughts = open(0, { type: 'thinking', thinking: '', signature: '' }) + delta(0, { type: 'thinking_delta', thinking: 'Hm, ' });
    const sink = await stage.run(
      streaming(
        ...[START, PING, thoughts, delta(0, { type: 'thinking_delta', thinking: 'yes.' })],
        ...[delta(0, { type: 'signature_delta', signature: 'c2ln' }), close(0), open(1, { type: 'text', text: '' })],
        ...[delta(1, { type: 'text_delta', text: 'Hel' }), PING, delta(1, { type: 'text_delta', text: 'lo' }), close(1), end()],
      ),
    );
    expect(sink).toMatchObject({ text: 'Hello', thoughts: 'Hm, yes.', acceptances: 1 });
    expect(sink.outcomes).toEqual([{ finishReason: 'stop', upstreamState: '', usage: { tokensIn: 17, tokensOut: 40 }, model: 'm1' }]);
  });

  it('sends the key, the project, the history, and the largest answer of the model', async () => {
    const message = (role: string, said: string) => ({ id: said, role, text: said, parts: [], files: [], status: 'completed' });
    const history = [
      message('user', 'One'),
      message('user', 'Two'),
      message('assistant', ''),
      message('user', 'Three'),
      message('assistant', '3'),
    ];
    const messages = [
      { role: 'system', text: 'Be brief', parts: [] },
      { role: 'user', text: 'Four', parts: [] },
    ];
    await stage.run(streaming(START, text('x'), end()), { history: () => history, messages, model: 'claude-sonnet-4-5' });
    expect(asked()).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' },
      body: {
        model: 'claude-sonnet-4-5',
        stream: true,
        max_tokens: 64_000,
        system: [{ type: 'text', text: 'Be brief' }],
        messages: [
          { role: 'user', content: ['One', 'Two', 'Three'].map((said) => ({ type: 'text', text: said })) },
          { role: 'assistant', content: [{ type: 'text', text: '3' }] },
          { role: 'user', content: [{ type: 'text', text: 'Four' }] },
        ],
      },
    });
  });

  it('begins a conversation that begins with an answer with a question', async () => {
    const history = [{ id: '1', role: 'assistant', text: 'Welcome', parts: [], files: [], status: 'completed' }];
    await stage.run(streaming(START, text('x'), end()), { history: () => history });
    expect((asked()?.body.messages as { role: string }[]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('passes parameters on by their names there', async () => {
    const parameters = { temperature: 0.5, max_tokens: 99, stop: 'END', seed: 7, user: 'x' };
    await stage.run(streaming(START, text('x'), end()), { parameters });
    expect(asked()?.body).toMatchObject({ temperature: 0.5, max_tokens: 99, stop_sequences: ['END'] });
    expect(asked()?.body).not.toHaveProperty('seed');
    expect(asked()?.body).not.toHaveProperty('user');
  });

  it('gives images and PDFs as they are, and of other files the text', async () => {
    const file = (name: string, mimeType: string, prepared: { text: string; original?: Buffer }) => ({
      ...{ fileId: name, name, mimeType, sizeBytes: 3, upstreamRef: '' },
      prepared: async () => ({ omitted: '', ...prepared }),
    });
    const files = [
      file('a.png', 'image/png', { text: '', original: Buffer.from('png') }),
      file('b.pdf', 'application/pdf', { text: 'of the pdf', original: Buffer.from('pdf') }),
      file('c.txt', 'text/plain', { text: 'plain words' }),
      file('old.pdf', 'application/pdf', { text: 'words of the old' }),
    ];
    const url = { content: { $case: 'imageUrl', value: 'https://images.example.com/cat.png' } } as const;
    const inline = { content: { $case: 'imageUrl', value: `data:image/jpeg;base64,${btoa('jpg')}` } } as const;
    const messages = [{ role: 'user', text: 'Look', parts: [{ content: { $case: 'text', value: 'Look' } } as const, url, inline] }];
    await stage.run(streaming(START, text('x'), end()), { messages, files });
    const [{ content }] = asked()?.body.messages as [{ content: { type: string; source?: object; text?: string }[] }];
    expect(content.filter(({ type }) => type !== 'text').map(({ type, source }) => ({ type, source }))).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: btoa('png') } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: btoa('pdf') } },
      { type: 'image', source: { type: 'url', url: 'https://images.example.com/cat.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: btoa('jpg') } },
    ]);
    const sentText = content.map((part) => part.text ?? '').join('\n');
    expect(sentText).toContain('plain words');
    expect(sentText).toContain('words of the old');
    expect(sentText).not.toContain('of the pdf');
  });

  it('keeps a PDF beside its text, and of other files the text alone', async () => {
    const upload = (name: string, mimeType: string) => {
      const file = {
        workspaceId: 'w',
        name,
        mimeType,
        size: 3,
        bytes: Readable.from([Buffer.from('pdf')]),
        signal: new AbortController().signal,
      };
      return stage.provider.files?.upload(stage.upstreamAccount, file);
    };
    const text = 'text of pdf';
    await expect(upload('b.pdf', 'application/pdf')).resolves.toMatchObject({ prepared: { text, original: Buffer.from('pdf') } });
    await expect(upload('c.txt', 'text/plain')).resolves.toEqual({ upstreamRef: '', prepared: { text, omitted: '' } });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
  ])('says that %s is %s', async (reason, finishReason) => {
    expect(await stage.run(streaming(START, text('x'), end(reason)))).toMatchObject({ outcomes: [{ finishReason }] });
  });

  it.each<[string, ResponseScript, object]>([
    ['a key that is none', refusing(401, error('authentication_error', 'invalid x-api-key')), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
    [
      'no credit, which it calls an invalid request',
      refusing(400, error('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.')),
      { condition: 'PROVIDER_NO_CREDIT', upstream: { status: 400 } },
    ],
    ['a right that is missing', refusing(403, error('permission_error', 'not allowed')), { condition: 'PROVIDER_FORBIDDEN' }],
    ['an unknown model', refusing(404, error('not_found_error', 'model: m1')), { condition: 'PROVIDER_MODEL_NOT_FOUND' }],
    [
      'a conversation that is too long',
      refusing(400, error('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')),
      { condition: 'PROVIDER_REJECTED_REQUEST', message: 'the conversation is longer than the model takes' },
    ],
    ['a request that is too large', refusing(413, error('request_too_large', 'too large')), { condition: 'PROVIDER_REJECTED_REQUEST' }],
    [
      'a limit',
      refusing(429, error('rate_limit_error', 'slow down'), { 'retry-after': '12' }),
      { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 12_000 },
    ],
    [
      'overload',
      refusing(529, error('overloaded_error', 'Overloaded'), { 'retry-after': '3' }),
      { condition: 'PROVIDER_UNAVAILABLE', retryAfterMs: 3_000, upstream: { status: 529, responseText: 'Overloaded' } },
    ],
    ['overload as the first event', streaming(typed(error('overloaded_error', 'Overloaded'))), { condition: 'PROVIDER_UNAVAILABLE' }],
    ['a limit as the first event', streaming(typed(error('rate_limit_error', 'slow'))), { condition: 'PROVIDER_RATE_LIMITED' }],
    ['garbage', streaming('data: {"type":"mess\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['an end before the beginning', streaming(), { condition: 'PROVIDER_BAD_ANSWER' }],
  ])('is refused before acceptance by %s', async (_name, script, expected) => {
    const sink = await stage.run(script);
    expect(sink).toMatchObject({ text: '', acceptances: 0, outcomes: [{ error: expected }] });
    expect(stage.upstream.received).toHaveLength(1);
  });

  it('shortens the message of the upstream, and masks secrets in it', async () => {
    const refused = await stage.failed(refusing(400, error('invalid_request_error', `bad sk-ant-REDACTED ${'x '.repeat(500)}`)));
    expect(refused?.upstream?.responseText).not.toMatch(/sk-ant/);
    expect(refused?.upstream?.responseText?.length).toBeLessThanOrEqual(300);
    expect(refused?.message).not.toContain('bad');
  });

  it.each<[string, string, string]>([
    ['overload', typed(error('overloaded_error', 'Overloaded')), 'PROVIDER_UNAVAILABLE'],
    ['a failure', typed(error('api_error', 'Internal server error')), 'PROVIDER_UNAVAILABLE'],
    ['the end of the connection', '', 'PROVIDER_UNAVAILABLE'],
    ['garbage', 'data: {"type":"mess\n\n', 'PROVIDER_BAD_ANSWER'],
  ])('keeps what came before %s in the stream', async (_name, then, condition) => {
    const sink = await stage.run(streaming(START + text('part') + then));
    expect(sink).toMatchObject({ text: 'part', acceptances: 1, outcomes: [{ error: { condition } }] });
  });

  it('passes over an event that is of tomorrow', async () => {
    const sink = await stage.run(streaming(START, typed({ type: 'of_tomorrow' }), text('x'), end()));
    expect(sink).toMatchObject({ text: 'x', outcomes: [{ finishReason: 'stop' }] });
  });

  it('does not take pings for an answer', async () => {
    const sink = await stage.run(({ res }) => (stream(res), void res.write(PING)), { deadlines: { acceptanceMs: 300, silenceMs: 5_000 } });
    expect(sink).toMatchObject({ acceptances: 0, outcomes: [{ error: { condition: 'PROVIDER_TIMEOUT' } }] });
    await waitFor(() => asked()?.isClosed);
  });

  it('asks nothing when the client left before', async () => {
    const { sink, hold } = stage.start(streaming(START, text('x'), end()));
    hold.stop();
    await stage.run(streaming(START, text('y'), end()));
    expect(sink).toMatchObject({ text: '', outcomes: [{ finishReason: 'stop' }] });
    expect(stage.upstream.received).toHaveLength(1);
  });

  it('lists its models', async () => {
    stage.upstream.script = ({ res }) =>
      void res.writeHead(200).end(
        JSON.stringify({
          data: [
            { type: 'model', id: 'claude-b' },
            { type: 'model', id: 'claude-a' },
          ],
          has_more: false,
        }),
      );
    await expect(stage.provider.connect(stage.upstreamAccount)).resolves.toEqual({ models: ['claude-b', 'claude-a'], secret: 'sk-1' });
    expect(asked()).toMatchObject({ path: '/v1/models?limit=1000', headers: { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' } });
  });

  it('refuses a wrong key when it is connected', async () => {
    stage.upstream.script = refusing(401, error('authentication_error', 'invalid x-api-key'));
    await expect(stage.provider.connect(stage.upstreamAccount)).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
  });
});
