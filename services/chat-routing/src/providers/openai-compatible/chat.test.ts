import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { createServer } from 'node:net';
import { type Pools } from '../pools.ts';
import { type UpstreamTurn } from '../provider.ts';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { RecordingSink, upstreamTurn } from '../testing/sink.ts';
import { type Script, stream, streaming, type Upstream } from '../testing/upstream.ts';
import { openAiCompatible } from './provider.ts';

const chunk = (content: string, rest: object = {}) => `data: ${JSON.stringify({ choices: [{ delta: { content }, ...rest }] })}\n\n`;
const STOP = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

const bounds = { count: async (text: string) => text.length, budget: 1_000 };
const EMULATION = { project: bounds, files: bounds, extractor: { extract: async () => ({ text: '', omitted: '' }) } };

describe('the openai-compatible adapter', () => {
  let upstream: Upstream;
  let pools: Pools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));

  function start(script: Script, over: Partial<UpstreamTurn> = {}) {
    upstream.script = script;
    const sink = new RecordingSink();
    const hold = openAiCompatible(pools, EMULATION).chat(upstreamTurn(`${upstream.url}/v1`, over), sink);
    return { sink, hold };
  }

  /** Runs a turn to its end and checks that it ends once. */
  async function run(script: Script, over: Partial<UpstreamTurn> = {}): Promise<RecordingSink> {
    const { sink } = start(script, over);
    await waitFor(() => sink.outcomes.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sink.outcomes).toHaveLength(1);
    return sink;
  }

  describe('streams', () => {
    it('relays the text, the reason and the counts', async () => {
      const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } })}\n\n`;
      const sink = await run(streaming(chunk('Hel'), chunk('lo'), STOP, usage, DONE));
      expect(sink).toMatchObject({ text: 'Hello', acceptances: 1 });
      expect(sink.outcomes).toEqual([{ finishReason: 'stop', upstreamState: '', usage: { tokensIn: 7, tokensOut: 2 } }]);
    });

    it('asks with the key, the model and the history before the new messages', async () => {
      const image = { content: { $case: 'imageUrl', value: 'data:image/png;base64,AA==' } } as const;
      const history = [{ id: '1', role: 'user', text: 'Before', parts: [], files: [], status: 'completed' }];
      const messages = [{ role: 'user', text: 'Look', parts: [{ content: { $case: 'text', value: 'Look' } } as const, image] }];
      await run(streaming(chunk('x'), STOP, DONE), { history: async () => history, messages });
      expect(upstream.received[0]).toMatchObject({
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer sk-1' },
        body: {
          model: 'm1',
          stream: true,
          stream_options: { include_usage: true },
          messages: [
            { role: 'user', content: 'Before' },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Look' },
                { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
              ],
            },
          ],
        },
      });
    });

    it('fails with what kept it from the history', async () => {
      const sink = await run(streaming(), { history: async () => Promise.reject(new GatewayError('SERVICE_UNAVAILABLE', 'away')) });
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'SERVICE_UNAVAILABLE' } }]);
      expect(upstream.received).toEqual([]);
    });

    it('puts characters together that are split over chunks', async () => {
      const bytes = Buffer.from(chunk('a 你好 😀 é') + STOP + DONE);
      const sink = await run(streaming(...Array.from(bytes, (byte) => Buffer.from([byte]))));
      expect(sink.text).toBe('a 你好 😀 é');
    });

    it('reads events that end in CRLF, with comments and a byte order mark', async () => {
      const text = `\uFEFF: ping\r\n\r\n${chunk('one').trimEnd()}\r\n\r\nevent: message\r\n${STOP.trimEnd()}\r\n\r\n${DONE.trimEnd()}\r\n\r\n`;
      expect(await run(streaming(text))).toMatchObject({ text: 'one', outcomes: [{ finishReason: 'stop' }] });
    });

    it.each([
      ['[DONE] without a reason', [chunk('x'), DONE], 'stop'],
      ['a reason without [DONE]', [chunk('x', { finish_reason: 'length' })], 'length'],
      ['a reason that is none', [chunk('x', { finish_reason: { so: 1 } }), DONE], 'stop'],
    ])('ends with %s', async (_name, parts, finishReason) => {
      expect(await run(streaming(...parts))).toMatchObject({ text: 'x', outcomes: [{ finishReason }] });
    });

    it('tells deltas together that came together', async () => {
      const sink = await run(streaming(Array.from({ length: 64 }, () => chunk('x')).join('') + STOP + DONE));
      expect(sink).toMatchObject({ text: 'x'.repeat(64), batches: 1 });
    });

    it('takes a whole answer from a server that does not stream', async () => {
      const body = JSON.stringify({ choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] });
      const sink = await run(({ res }) => void res.writeHead(200, { 'content-type': 'Application/JSON' }).end(body));
      expect(sink).toMatchObject({ text: 'whole', acceptances: 1, outcomes: [{ finishReason: 'stop' }] });
    });

    it('uses its connection again', async () => {
      await run(streaming(chunk('x'), STOP, DONE));
      await run(streaming(chunk('y'), STOP, DONE));
      await expect(upstream.connections()).resolves.toBe(1);
    });

    it('closes a response that goes on behind its end', async () => {
      const sink = await run(async ({ res }) => {
        stream(res);
        res.write(chunk('x') + STOP + DONE);
      });
      expect(sink.text).toBe('x');
      await waitFor(() => upstream.received[0]?.isClosed);
    });
  });

  describe('refusals and faults', () => {
    it.each<[string, Script, object]>([
      [
        '429',
        ({ res }) => void res.writeHead(429, { 'retry-after': '7' }).end('{}'),
        { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 7_000 },
      ],
      ['429 without a wait', ({ res }) => void res.writeHead(429).end(), { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: undefined }],
      ['401', ({ res }) => void res.writeHead(401).end(), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
      ['400', ({ res }) => void res.writeHead(400).end('secret words'), { condition: 'INVALID_REQUEST' }],
      ['500', ({ res }) => void res.writeHead(500).end('secret words'), { condition: 'PROVIDER_BAD_ANSWER' }],
      [
        '503',
        ({ res }) => void res.writeHead(503, { 'retry-after': '2' }).end(),
        { condition: 'PROVIDER_UNAVAILABLE', retryAfterMs: 2_000 },
      ],
      ['a redirect', ({ res }) => void res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), { condition: 'PROVIDER_BAD_ANSWER' }],
      [
        'HTML',
        ({ res }) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>secret words</html>'),
        { condition: 'PROVIDER_BAD_ANSWER' },
      ],
      ['HTML that says it is a stream', streaming('<html>\n\nsecret words</html>\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }],
      ['no JSON', streaming('data: {"secret words\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }],
      ['JSON that is no object', streaming('data: null\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }],
      ['an end before the beginning', streaming(DONE), { condition: 'PROVIDER_BAD_ANSWER' }],
      ['an empty stream', streaming(), { condition: 'PROVIDER_BAD_ANSWER' }],
      ['an error event', streaming('data: {"error":{"message":"secret words"}}\n\n'), { condition: 'PROVIDER_UNAVAILABLE' }],
      [
        'bad UTF-8',
        streaming(Buffer.from('data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n', 'latin1')),
        { condition: 'PROVIDER_BAD_ANSWER' },
      ],
      ['no HTTP', ({ res }) => void res.socket?.end('secret words\r\n\r\n'), { condition: 'PROVIDER_BAD_ANSWER' }],
      ['a reset', ({ res }) => void res.socket?.resetAndDestroy(), { condition: 'PROVIDER_UNAVAILABLE' }],
    ])('%s is refused before acceptance', async (_name, script, expected) => {
      const sink = await run(script);
      expect(sink).toMatchObject({ text: '', acceptances: 0 });
      const [outcome] = sink.outcomes;
      expect(outcome && 'error' in outcome && outcome.error).toMatchObject(expected);
      expect(outcome && 'error' in outcome && outcome.error.message).not.toContain('secret');
    });

    it.each<[string, Script, string]>([
      [
        'a cut',
        async ({ res }) => (stream(res), res.write(chunk('part')), setTimeout(() => res.socket?.resetAndDestroy(), 50), undefined),
        'PROVIDER_UNAVAILABLE',
      ],
      ['an end without a reason', streaming(chunk('part')), 'PROVIDER_UNAVAILABLE'],
      ['an error event', streaming(chunk('part'), 'data: {"error":{}}\n\n'), 'PROVIDER_UNAVAILABLE'],
      ['an error event in the same bytes', streaming(`${chunk('part')}data: {"error":{}}\n\n`), 'PROVIDER_UNAVAILABLE'],
      ['garbage', streaming(chunk('part'), 'data: garbage\n\n'), 'PROVIDER_BAD_ANSWER'],
      ['odd types', streaming(chunk('part'), 'data: {"choices":[{"delta":{"content":7}}],"usage":"x"}\n\n', STOP), ''],
    ])('%s after acceptance keeps what came', async (_name, script, condition) => {
      const sink = await run(script);
      expect(sink).toMatchObject({ text: 'part', acceptances: 1 });
      const [outcome] = sink.outcomes;
      expect(outcome && 'error' in outcome ? outcome.error.condition : '').toBe(condition);
    });

    it('cuts an event off that does not end', async () => {
      const piece = 'x'.repeat(64 * 1024);
      const sink = await run(async ({ res }) => {
        stream(res);
        res.write(`${chunk('part')}data: `);
        for (let n = 0; n < 200 && !res.destroyed; n++) {
          res.write(piece);
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      expect(sink).toMatchObject({ text: 'part', outcomes: [{ error: { condition: 'PROVIDER_BAD_ANSWER' } }] });
      await waitFor(() => upstream.received[0]?.isClosed);
    });

    it.each<[string, Script, number]>([
      ['no answer', () => undefined, 0],
      ['a head only', ({ res }) => stream(res), 0],
      ['pings only', ({ res }) => (stream(res), void res.write(': ping\n\n')), 0],
      ['silence behind the first text', ({ res }) => (stream(res), void res.write(chunk('part'))), 1],
    ])('gives %s up in time', async (_name, script, acceptances) => {
      const sink = await run(script, { deadlines: { acceptanceMs: 150, silenceMs: 150 } });
      expect(sink).toMatchObject({ acceptances, outcomes: [{ error: { condition: 'PROVIDER_TIMEOUT' } }] });
      await waitFor(() => upstream.received[0]?.isClosed);
    });

    it('does not take a paused reader for a silent upstream', async () => {
      const { sink, hold } = start(
        async ({ res }) => {
          stream(res);
          res.write(chunk('a'));
        },
        { deadlines: { acceptanceMs: 1_000, silenceMs: 100 } },
      );
      await waitFor(() => sink.text === 'a');
      hold.pause();
      // What is on its way when a reader pauses is still delivered.
      upstream.received[0]?.res.write(chunk('b'));
      await waitFor(() => sink.text === 'ab');
      upstream.received[0]?.res.end(chunk('c') + STOP + DONE);
      await expect(waitFor(() => sink.outcomes.length > 0, { timeoutMs: 400 })).rejects.toThrow();
      hold.resume();
      await waitFor(() => sink.outcomes.length > 0);
      expect(sink).toMatchObject({ text: 'abc', outcomes: [{ finishReason: 'stop' }] });
    });

    it('says that nobody listens', async () => {
      const free = createServer().listen(0, '127.0.0.1');
      const { port } = await waitFor(() => free.address() as { port: number } | null);
      await new Promise((resolve) => free.close(resolve));
      const sink = new RecordingSink();
      openAiCompatible(pools, EMULATION).chat(upstreamTurn(`http://127.0.0.1:${port}/v1`), sink);
      await waitFor(() => sink.outcomes.length > 0);
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_UNAVAILABLE' } }]);
    });

    it('survives a key that no header can hold', async () => {
      const account = { id: 'a', baseUrl: `${upstream.url}/v1`, account: '', secret: 'bad\nkey' };
      const sink = new RecordingSink();
      const chat = () => openAiCompatible(pools, EMULATION).chat(upstreamTurn('', { account }), sink);
      let thrown: unknown;
      try {
        chat();
      } catch (error) {
        thrown = error;
      }
      await waitFor(() => thrown ?? sink.outcomes.length > 0);
      expect(sink.outcomes.length + (thrown ? 1 : 0)).toBe(1);
    });
  });

  describe('stop', () => {
    it('closes the upstream at once and tells what came until then', async () => {
      const { sink, hold } = start(async ({ res }) => (stream(res), void res.write(chunk('part'))));
      await waitFor(() => sink.text === 'part');
      hold.stop();
      hold.stop();
      expect(sink.outcomes).toEqual([{ finishReason: 'stop', upstreamState: '', usage: undefined }]);
      await waitFor(() => upstream.received[0]?.isClosed, { timeoutMs: 250, everyMs: 5 });
    });

    it('closes the upstream that has not answered yet', async () => {
      const { sink, hold } = start(() => undefined);
      await waitFor(() => upstream.received.length === 1);
      hold.stop();
      expect(sink).toMatchObject({ acceptances: 0, outcomes: [{ finishReason: 'stop' }] });
      await waitFor(() => upstream.received[0]?.isClosed, { timeoutMs: 250, everyMs: 5 });
    });

    it('asks nothing of the upstream while it still waits for the history', async () => {
      let answer: (messages: []) => void = () => undefined;
      const { sink, hold } = start(() => undefined, { history: () => new Promise((resolve) => (answer = resolve)) });
      hold.stop();
      answer([]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(sink.outcomes).toHaveLength(1);
      expect(upstream.received).toEqual([]);
    });
  });

  describe('whole answers', () => {
    const json =
      (body: unknown): Script =>
      ({ res }) =>
        void res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    const whole = { stream: false };

    it('come with text, reason and counts', async () => {
      const body = {
        choices: [{ message: { content: 'Hi 你' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 1, completion_tokens: 2 },
      };
      const sink = await run(json(body), whole);
      expect(sink).toMatchObject({ text: 'Hi 你', acceptances: 1 });
      expect(sink.outcomes).toEqual([{ finishReason: 'length', upstreamState: '', usage: { tokensIn: 1, tokensOut: 2 } }]);
      expect(upstream.received[0]?.body).not.toHaveProperty('stream');
    });

    it('do without counts that are none', async () => {
      const body = { choices: [{ message: { content: 'Hi' } }], usage: { prompt_tokens: 'many' } };
      expect(await run(json(body), whole)).toMatchObject({ text: 'Hi', outcomes: [{ finishReason: 'stop', usage: undefined }] });
    });

    it.each([
      ['no JSON', '{"choices":'],
      ['no choices', { choices: [] }],
      ['something else', { hello: 1 }],
      ['bad UTF-8', Buffer.from('{"choices":[{"message":{"content":"\xff"}}]}', 'latin1')],
      ['nothing', ''],
    ])('that are %s are refused', async (_name, body) => {
      expect(await run(json(body), whole)).toMatchObject({ acceptances: 0, outcomes: [{ error: { condition: 'PROVIDER_BAD_ANSWER' } }] });
    });

    it('of more than 8 MB are cut off', async () => {
      const sink = await run(json(`"${'x'.repeat(9 * 1024 * 1024)}"`), whole);
      expect(sink).toMatchObject({ text: '', outcomes: [{ error: { condition: 'PROVIDER_BAD_ANSWER' } }] });
    });
  });
});
