import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { waitUntilStable } from '@parley/kit/testing/wait-until-stable';
import { DIALECTS } from '../../test/dialects.ts';
import { beforeEachOnStage } from '../../test/provider-stage.ts';
import { type HttpPools } from './http-pools.ts';
import { RecordingSink, upstreamTurn } from './testing/sink.ts';
import { type ReceivedRequest, type ResponseScript, stream, streaming, type TestUpstream } from './testing/upstream.ts';
import { type UpstreamTurn } from './upstream-turn.ts';

const SECRET = 'words of the upstream';

describe.each(DIALECTS)('what turns rely on of every adapter: $name', ({ provider, isTurn, besides, model, accepted, delta, end }) => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));

  function start(script: ResponseScript, over: Partial<UpstreamTurn> = {}) {
    upstream.script = (received) => (isTurn(received) ? script(received) : besides(received));
    const sink = new RecordingSink();
    return { sink, hold: provider(pools).chat(upstreamTurn(`${upstream.url}/v1`, over), sink) };
  }
  async function run(script: ResponseScript, over: Partial<UpstreamTurn> = {}): Promise<RecordingSink> {
    const { sink } = start(script, over);
    await waitFor(() => sink.outcomes.length > 0);
    return sink;
  }
  const turn = () => upstream.received.find(isTurn);

  it('passes on the text as it arrives, the acceptance once, and the end once with its usage and its model', async () => {
    const sink = await run(streaming(accepted, delta('Hel'), delta('lo'), end));
    expect(sink).toMatchObject({ text: 'Hello', acceptances: 1 });
    expect(sink.outcomes).toMatchObject([{ finishReason: 'stop', usage: { tokensIn: 3, tokensOut: 4 }, ...(model && { model }) }]);
    expect(turn()?.headers.authorization).toBe('Bearer sk-1');
  });

  it.each([
    ['the traceparent of the attempt', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['no header without a trace', ''],
  ])('sends %s', async (_name, traceparent) => {
    await run(streaming(accepted, delta('Hello'), end), { traceparent });
    expect(turn()?.headers.traceparent).toBe(traceparent || undefined);
  });

  it.each<[number, object]>([
    [302, { condition: 'PROVIDER_BAD_ANSWER' }],
    [400, { condition: 'PROVIDER_REJECTED_REQUEST' }],
    [402, { condition: 'PROVIDER_NO_CREDIT' }],
    [403, { condition: 'PROVIDER_FORBIDDEN' }],
    [404, { condition: 'PROVIDER_BAD_ANSWER' }],
    [401, { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
    [408, { condition: 'PROVIDER_TIMEOUT' }],
    [429, { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 30_000 }],
    [500, { condition: 'PROVIDER_BAD_ANSWER' }],
    [529, { condition: 'PROVIDER_UNAVAILABLE', retryAfterMs: 30_000 }],
    [503, { condition: 'PROVIDER_UNAVAILABLE', retryAfterMs: 30_000 }],
  ])('says what %i means in our own words, follows nowhere and asks once', async (status, expected) => {
    const headers = { 'content-type': 'application/json', 'retry-after': '30', location: `${upstream.url}/v1/elsewhere` };
    const refusal = JSON.stringify({ error: { code: 'of_tomorrow', message: SECRET } });
    const sink = await run(({ res }) => void res.writeHead(status, headers).end(refusal));
    const [outcome] = sink.outcomes;
    const error = outcome && 'error' in outcome ? outcome.error : undefined;
    expect(error).toMatchObject(expected);
    expect(String(error?.message)).not.toContain(SECRET);
    expect(error?.upstream).toEqual({ status, responseText: SECRET });
    expect(upstream.received.filter(isTurn)).toHaveLength(1);
    expect(upstream.received.some(({ path }) => path.endsWith('/elsewhere'))).toBe(false);
  });

  it.each<[string, (received: ReceivedRequest) => void, string]>([
    ['is cut off', ({ res }) => void setTimeout(() => res.socket?.resetAndDestroy(), 50), 'PROVIDER_UNAVAILABLE'],
    ['ends', ({ res }) => void res.end(), 'PROVIDER_UNAVAILABLE'],
    ['sends an event beyond 8 MB', ({ res }) => void res.write(`data: ${'x'.repeat(9 * 1024 * 1024)}`), 'PROVIDER_BAD_ANSWER'],
    ['sends bytes that are no UTF-8', ({ res }) => void res.write(Buffer.from([0x64, 0xff, 0xfe])), 'PROVIDER_BAD_ANSWER'],
    ['goes silent', () => undefined, 'PROVIDER_TIMEOUT'],
  ])('keeps what arrived when the stream %s', async (_name, then, condition) => {
    const script: ResponseScript = (received) => {
      stream(received.res);
      received.res.write(accepted + delta('part'), () => then(received));
    };
    const sink = await run(script, { deadlines: { acceptanceMs: 60_000, silenceMs: condition === 'PROVIDER_TIMEOUT' ? 200 : 60_000 } });
    expect(sink).toMatchObject({ text: 'part', acceptances: 1, outcomes: [{ error: { condition } }] });
  });

  it('gives up an upstream that does not take the turn', async () => {
    const sink = await run(({ res }) => stream(res), { deadlines: { acceptanceMs: 200, silenceMs: 60_000 } });
    expect(sink).toMatchObject({ acceptances: 0, outcomes: [{ error: { condition: 'PROVIDER_TIMEOUT' } }] });
    await waitFor(() => turn()?.isClosed);
  });

  it('stops, closes the stream and reports the end once', async () => {
    const patient = { deadlines: { acceptanceMs: 60_000, silenceMs: 60_000 } };
    const { sink, hold } = start(({ res }) => (stream(res), void res.write(accepted + delta('part'))), patient);
    await waitFor(() => sink.text === 'part');
    hold.stop();
    hold.stop();
    await waitFor(() => turn()?.isClosed);
    expect(sink).toMatchObject({ text: 'part', outcomes: [{ finishReason: 'stop' }] });
  });

  it('reads no more than it may while it is paused', async () => {
    let written = 0;
    const pour: ResponseScript = ({ res }) => {
      stream(res);
      res.write(accepted + delta('first'));
      const more = () => {
        while (!res.destroyed && written < 64 * 1024 * 1024) {
          written += 16 * 1024;
          if (!res.write(delta('x'.repeat(16 * 1024)))) return;
        }
      };
      res.on('drain', more);
      more();
    };
    const { sink, hold } = start(pour);
    await waitFor(() => sink.text !== '');
    hold.pause();
    await waitUntilStable(() => written);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    hold.stop();
    await waitFor(() => sink.outcomes.length > 0);
  });
});
