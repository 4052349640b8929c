import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { beforeEachOnCompatibleStage, chunk, type CompatibleStage, DONE, STOP } from '../../../test/compatible-stage.ts';
import { stream, streaming } from '../testing/upstream.ts';

describe('the openai-compatible adapter', () => {
  let stage: CompatibleStage;
  beforeEachOnCompatibleStage((entered) => (stage = entered));

  describe('streams', () => {
    it('relays the text, the reason and the counts', async () => {
      const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } })}\n\n`;
      const sink = await stage.run(streaming(chunk('Hel'), chunk('lo'), STOP, usage, DONE));
      expect(sink).toMatchObject({ text: 'Hello', acceptances: 1 });
      expect(sink.outcomes).toEqual([{ finishReason: 'stop', upstreamState: '', usage: { tokensIn: 7, tokensOut: 2 } }]);
    });

    it('asks with the key, the model and the history before the new messages', async () => {
      const image = { content: { $case: 'imageUrl', value: 'data:image/png;base64,AA==' } } as const;
      const history = ['user', 'assistant'].map((role) => ({ id: role, role, text: 'Before', parts: [], files: [], status: 'completed' }));
      const messages = [{ role: 'user', text: 'Look', parts: [{ content: { $case: 'text', value: 'Look' } } as const, image] }];
      await stage.run(streaming(chunk('x'), STOP, DONE), { history: async () => history, messages });
      expect(stage.upstream.received[0]).toMatchObject({
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer sk-1' },
        body: {
          model: 'm1',
          stream: true,
          stream_options: { include_usage: true },
          messages: [
            { role: 'user', content: 'Before' },
            { role: 'assistant', content: 'Before' },
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
      const sink = await stage.run(streaming(), { history: async () => Promise.reject(new GatewayError('SERVICE_UNAVAILABLE', 'away')) });
      expect(sink.outcomes).toMatchObject([{ error: { condition: 'SERVICE_UNAVAILABLE' } }]);
      expect(stage.upstream.received).toEqual([]);
    });

    it('puts characters together that are split over chunks', async () => {
      const bytes = Buffer.from(chunk('a 你好 😀 é') + STOP + DONE);
      const sink = await stage.run(streaming(...Array.from(bytes, (byte) => Buffer.from([byte]))));
      expect(sink.text).toBe('a 你好 😀 é');
    });

    it('reads events that end in CRLF, with comments and a byte order mark', async () => {
      const text = `\uFEFF: ping\r\n\r\n${chunk('one').trimEnd()}\r\n\r\nevent: message\r\n${STOP.trimEnd()}\r\n\r\n${DONE.trimEnd()}\r\n\r\n`;
      expect(await stage.run(streaming(text))).toMatchObject({ text: 'one', outcomes: [{ finishReason: 'stop' }] });
    });

    it.each([
      ['[DONE] without a reason', [chunk('x'), DONE], 'stop'],
      ['a reason without [DONE]', [chunk('x', { finish_reason: 'length' })], 'length'],
      ['a reason that is none', [chunk('x', { finish_reason: { so: 1 } }), DONE], 'stop'],
    ])('ends with %s', async (_name, parts, finishReason) => {
      expect(await stage.run(streaming(...parts))).toMatchObject({ text: 'x', outcomes: [{ finishReason }] });
    });

    it('passes on deltas together that arrived together', async () => {
      const sink = await stage.run(streaming(Array.from({ length: 64 }, () => chunk('x')).join('') + STOP + DONE));
      expect(sink).toMatchObject({ text: 'x'.repeat(64), batches: 1 });
    });

    it('takes a whole answer from a server that does not stream', async () => {
      const body = JSON.stringify({ choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] });
      const sink = await stage.run(({ res }) => void res.writeHead(200, { 'content-type': 'Application/JSON' }).end(body));
      expect(sink).toMatchObject({ text: 'whole', acceptances: 1, outcomes: [{ finishReason: 'stop' }] });
    });

    it('uses its connection again', async () => {
      await stage.run(streaming(chunk('x'), STOP, DONE));
      await stage.run(streaming(chunk('y'), STOP, DONE));
      await expect(stage.upstream.connections()).resolves.toBe(1);
    });

    it('closes a response that goes on behind its end', async () => {
      const sink = await stage.run(async ({ res }) => {
        stream(res);
        res.write(chunk('x') + STOP + DONE);
      });
      expect(sink.text).toBe('x');
      await waitFor(() => stage.upstream.received[0]?.isClosed);
    });
  });

  describe('stop', () => {
    it('closes the upstream at once and passes on what arrived until then', async () => {
      const { sink, hold } = stage.start(async ({ res }) => (stream(res), void res.write(chunk('part'))));
      await waitFor(() => sink.text === 'part');
      hold.stop();
      hold.stop();
      expect(sink.outcomes).toEqual([{ finishReason: 'stop', upstreamState: '', usage: undefined }]);
      await waitFor(() => stage.upstream.received[0]?.isClosed, { everyMs: 5 });
    });

    it('closes the upstream that has not answered yet', async () => {
      const { sink, hold } = stage.start(() => undefined);
      await waitFor(() => stage.upstream.received.length === 1);
      hold.stop();
      expect(sink).toMatchObject({ acceptances: 0, outcomes: [{ finishReason: 'stop' }] });
      await waitFor(() => stage.upstream.received[0]?.isClosed, { everyMs: 5 });
    });

    it('asks nothing of the upstream while it still waits for the history', async () => {
      let answer: (messages: []) => void = () => undefined;
      const { sink, hold } = stage.start(() => undefined, { history: () => new Promise((resolve) => (answer = resolve)) });
      hold.stop();
      answer([]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(sink.outcomes).toHaveLength(1);
      expect(stage.upstream.received).toEqual([]);
    });
  });
});
