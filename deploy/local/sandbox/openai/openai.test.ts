import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ADA, startTestSandbox, until, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
let client: OpenAI;
beforeEach(async () => {
  sandbox = await startTestSandbox();
  client = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: ADA.api_key ?? '', maxRetries: 0, logLevel: 'off' });
});
afterEach(() => sandbox.close());

const ask = (content: string) => ({ model: 'sandbox-1', messages: [{ role: 'user' as const, content }] });
const order = (fault: string, more: object = {}) => sandbox.control('POST', '/accounts/ada/faults', { fault, ...more });

async function readAll(content: string): Promise<string> {
  let text = '';
  for await (const chunk of await client.chat.completions.create({ ...ask(content), stream: true })) {
    text += chunk.choices[0]?.delta.content ?? '';
  }
  return text;
}

describe('/v1', () => {
  it('lists the models', async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['sandbox-1', 'sandbox-mini']);
  });

  it('answers from the messages it is given', async () => {
    const completion = await client.chat.completions.create({
      model: 'sandbox-mini',
      messages: [
        { role: 'developer', content: 'Reply in capitals' },
        { role: 'user', content: 'remember red' },
        { role: 'assistant', content: 'I will.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what did I ask you to remember?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          ],
        },
      ],
    });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'sandbox-mini',
      choices: [
        {
          message: { role: 'assistant', content: 'YOU ASKED ME TO REMEMBER: RED.\n\n1 IMAGE CAME WITH THIS MESSAGE.' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 16, completion_tokens: 15, total_tokens: 31 },
    });
  });

  it('streams, with usage when it is asked for', async () => {
    const stream = await client.chat.completions.create({ ...ask('say "a" b'), stream: true, stream_options: { include_usage: true } });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: '"a"' },
      { content: ' b' },
      {},
      undefined,
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, 'stop', undefined]);
    expect(chunks.map(({ usage }) => usage?.total_tokens)).toEqual([undefined, undefined, undefined, undefined, 9]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('keeps to max_tokens', async () => {
    const completion = await client.chat.completions.create({ ...ask('count to 9'), max_tokens: 2 });
    expect(completion.choices[0]).toMatchObject({ message: { content: '1 2' }, finish_reason: 'length' });
  });

  it('stops producing when its client leaves', async () => {
    await sandbox.control('PUT', '/pacing', { delay_ms: 1 });
    const stream = await client.chat.completions.create({ ...ask('count to 10000'), stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === ' 3') break;
    await until(async () => (await sandbox.report()).aborted_connections === 1);
    expect(await sandbox.report()).toMatchObject({ open_streams: 0, turns_accepted: 1, conversations: [] });
  });

  it('speaks the errors of its API', async () => {
    const stranger = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-wrong', maxRetries: 0, logLevel: 'off' });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' });
    await expect(client.chat.completions.create({ ...ask('x'), model: 'gpt' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    await expect(client.chat.completions.create({ model: 'sandbox-1', messages: [] })).rejects.toMatchObject({ status: 400 });
  });
});

describe('/v1 with faults', () => {
  it.each([
    ['rate_limited', 429, 'rate_limit_exceeded'],
    ['server_error', 500, 'internal_error'],
    ['session_expired', 401, 'invalid_api_key'],
    ['access_lost', 403, 'conversation_access_lost'],
  ])('%s', async (fault, status, code) => {
    await order(fault);
    await expect(client.chat.completions.create(ask('x'))).rejects.toMatchObject({ status, code });
  });

  it('error_mid_stream', async () => {
    await order('error_mid_stream', { count: 2, after_chunks: 1 });
    await expect(readAll('count to 9')).rejects.toMatchObject({ code: 'upstream_error' });
    await expect(client.chat.completions.create(ask('count to 9'))).rejects.toMatchObject({ status: 500, code: 'upstream_error' });
  });

  it.each(['cut', 'bad_json'])('%s, streaming and not', async (fault) => {
    await order(fault, { count: 2, after_chunks: 1 });
    await expect(readAll('count to 9')).rejects.toThrow();
    await expect(client.chat.completions.create(ask('count to 9'))).rejects.toThrow();
  });

  it('half_open, streaming and not', async () => {
    await order('half_open', { count: 2 });
    for (const stream of [true, false]) {
      const gone = new AbortController();
      const response = await sandbox.call('POST', '/v1/chat/completions', { ...ask('count to 9'), stream }, ADA.api_key, gone.signal);
      expect([response.status, (await sandbox.report()).open_streams]).toEqual([200, 1]);
      gone.abort();
      await until(async () => (await sandbox.report()).open_streams === 0);
    }
    expect((await sandbox.report()).aborted_connections).toBe(2);
  });

  it('huge_event as one body', async () => {
    await order('huge_event');
    const response = await sandbox.call('POST', '/v1/chat/completions', ask('say x'), ADA.api_key);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBeGreaterThan(50 * 1024 * 1024);
    expect(bytes.subarray(-100).toString()).toContain('total_tokens');
  });

  it('bad_gateway_html and garbage', async () => {
    await order('bad_gateway_html');
    await expect(client.chat.completions.create(ask('x'))).rejects.toMatchObject({ status: 502 });
    await order('garbage');
    expect(await readAll('x').catch(() => '')).toBe('');
  });
});
