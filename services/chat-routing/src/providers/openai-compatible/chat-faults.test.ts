import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { createServer } from 'node:net';
import { beforeEachOnCompatibleStage, chunk, type CompatibleStage, DONE, STOP } from '../../../test/compatible-stage.ts';
import { RecordingSink, upstreamTurn } from '../testing/sink.ts';
import { type ResponseScript, stream, streaming } from '../testing/upstream.ts';

describe('error responses and faults of an openai-compatible upstream', () => {
  let stage: CompatibleStage;
  beforeEachOnCompatibleStage((entered) => (stage = entered));

  it.each<[string, ResponseScript, object]>([
    [
      '429',
      ({ res }) => void res.writeHead(429, { 'retry-after': '7' }).end('{}'),
      { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 7_000 },
    ],
    ['429 without a wait', ({ res }) => void res.writeHead(429).end(), { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: undefined }],
    ['401', ({ res }) => void res.writeHead(401).end(), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
    ['400', ({ res }) => void res.writeHead(400).end('secret words'), { condition: 'PROVIDER_REJECTED_REQUEST' }],
    ['500', ({ res }) => void res.writeHead(500).end('secret words'), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['503', ({ res }) => void res.writeHead(503, { 'retry-after': '2' }).end(), { condition: 'PROVIDER_UNAVAILABLE', retryAfterMs: 2_000 }],
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
    const sink = await stage.run(script);
    expect(sink).toMatchObject({ text: '', acceptances: 0 });
    const [outcome] = sink.outcomes;
    expect(outcome && 'error' in outcome && outcome.error).toMatchObject(expected);
    expect(outcome && 'error' in outcome && outcome.error.message).not.toContain('secret');
  });

  it.each<[string, ResponseScript, string]>([
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
    const sink = await stage.run(script);
    expect(sink).toMatchObject({ text: 'part', acceptances: 1 });
    const [outcome] = sink.outcomes;
    expect(outcome && 'error' in outcome ? outcome.error.condition : '').toBe(condition);
  });

  it('cuts an event off that does not end', async () => {
    const piece = 'x'.repeat(64 * 1024);
    const sink = await stage.run(async ({ res }) => {
      stream(res);
      res.write(`${chunk('part')}data: `);
      for (let n = 0; n < 200 && !res.destroyed; n++) {
        res.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(sink).toMatchObject({ text: 'part', outcomes: [{ error: { condition: 'PROVIDER_BAD_ANSWER' } }] });
    await waitFor(() => stage.upstream.received[0]?.isClosed);
  });

  it.each<[string, ResponseScript, number]>([
    ['no answer', () => undefined, 0],
    ['a head only', ({ res }) => stream(res), 0],
    ['pings only', ({ res }) => (stream(res), void res.write(': ping\n\n')), 0],
    ['silence behind the first text', ({ res }) => (stream(res), void res.write(chunk('part'))), 1],
  ])('gives %s up in time', async (_name, script, acceptances) => {
    const sink = await stage.run(script, { deadlines: { acceptanceMs: acceptances === 0 ? 150 : 60_000, silenceMs: 150 } });
    expect(sink).toMatchObject({ acceptances, outcomes: [{ error: { condition: 'PROVIDER_TIMEOUT' } }] });
    await waitFor(() => stage.upstream.received[0]?.isClosed);
  });

  it('does not take a paused reader for a silent upstream', async () => {
    const { sink, hold } = stage.start(
      async ({ res }) => {
        stream(res);
        res.write(chunk('a'));
      },
      { deadlines: { acceptanceMs: 60_000, silenceMs: 100 } },
    );
    // At once, so that there is no silence before the pause.
    sink.deltas = (texts) => {
      sink.text += texts.join('');
      setImmediate(() => hold.pause());
    };
    await waitFor(() => sink.text === 'a');
    // What is on its way when a reader pauses is still delivered.
    stage.upstream.received[0]?.res.write(chunk('b'));
    await waitFor(() => sink.text === 'ab');
    stage.upstream.received[0]?.res.end(chunk('c') + STOP + DONE);
    await expect(waitFor(() => sink.outcomes.length > 0, { timeoutMs: 400 })).rejects.toThrow();
    hold.resume();
    await waitFor(() => sink.outcomes.length > 0);
    expect(sink).toMatchObject({ text: 'abc', outcomes: [{ finishReason: 'stop' }] });
  });

  it('reports that nothing listens at the address', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    const { port } = await waitFor(() => free.address() as { port: number } | null);
    await new Promise((resolve) => free.close(resolve));
    const sink = new RecordingSink();
    stage.provider.chat(upstreamTurn(`http://127.0.0.1:${port}/v1`), sink);
    await waitFor(() => sink.outcomes.length > 0);
    expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_UNAVAILABLE' } }]);
  });

  it('survives a key that no header can hold', async () => {
    const connection = { id: 'a', baseUrl: `${stage.upstream.url}/v1`, account: '', secret: 'bad\nkey' };
    const sink = new RecordingSink();
    const chat = () => stage.provider.chat(upstreamTurn('', { connection }), sink);
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
