import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { type HttpPools } from '../http-pools.ts';
import { RecordingSink, upstreamTurn } from '../testing/sink.ts';
import { type ResponseScript, stream, streaming, type TestUpstream } from '../testing/upstream.ts';
import { type UpstreamTurn } from '../upstream-turn.ts';
import { openAiOfficial } from './provider.ts';

const event = (type: string, data: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const CREATED = event('response.created', { response: { id: 'resp_1' } });
const delta = (text: string, item_id = 'msg_1') => event('response.output_text.delta', { item_id, delta: text });
const ITEM = event('response.output_item.done', { item: { id: 'msg_1', type: 'message', status: 'completed', content: [] } });
const completed = (usage?: unknown) => event('response.completed', { response: { usage } });
const failed = (code: string) => event('response.failed', { response: { error: { code, message: 'secret words' } } });
const STATE = JSON.stringify({ conversation: 'conv_1', last: 'msg_0' });
const OPEN = JSON.stringify({ conversation: 'conv_1' });

describe('failures of the official API', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  beforeEachOnStage((stage) => ({ upstream, pools } = stage));

  async function run(script: ResponseScript, over: Partial<UpstreamTurn> = {}): Promise<RecordingSink> {
    // What is cancelled behind a failure is refused.
    upstream.script = (received) => (received.path === '/v1/responses' ? script(received) : void received.res.writeHead(500).end());
    const sink = new RecordingSink();
    openAiOfficial(pools).chat(upstreamTurn(`${upstream.url}/v1`, { upstreamState: STATE, ...over }), sink);
    await waitFor(() => sink.outcomes.length > 0);
    return sink;
  }

  const refusing = (status: number, code: string | null, headers = {}, param: string | null = null): ResponseScript => {
    const body = { error: { message: 'secret words', type: 'invalid_request_error', param, code } };
    return ({ res }) => void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

  it.each<[string, ResponseScript, object, string]>([
    ['a wrong key', refusing(401, 'invalid_api_key'), { condition: 'ACCOUNT_REAUTH_REQUIRED' }, STATE],
    ['a key without rights', refusing(403, null), { condition: 'PROVIDER_FORBIDDEN' }, STATE],
    ['a model of others', refusing(403, 'model_not_found'), { condition: 'PROVIDER_MODEL_NOT_FOUND', param: 'model' }, STATE],
    [
      'a limit',
      refusing(429, 'rate_limit_exceeded', { 'retry-after': '30' }),
      { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 30_000 },
      STATE,
    ],
    ['a used-up quota', refusing(429, 'insufficient_quota'), { condition: 'PROVIDER_NO_CREDIT' }, STATE],
    [
      'too long a conversation',
      refusing(400, 'context_length_exceeded'),
      { condition: 'PROVIDER_REJECTED_REQUEST', param: 'messages' },
      STATE,
    ],
    ['a type of file', refusing(400, 'unsupported_file'), { condition: 'UNSUPPORTED_FILE_TYPE' }, STATE],
    ['a code of tomorrow', refusing(400, 'of_tomorrow'), { condition: 'PROVIDER_REJECTED_REQUEST' }, STATE],
    ['a redirect', refusing(302, null, { location: 'http://127.0.0.1:1/' }), { condition: 'PROVIDER_BAD_ANSWER' }, STATE],
    ['500', refusing(500, 'server_error'), { condition: 'PROVIDER_BAD_ANSWER' }, OPEN],
    ['503', refusing(503, null, { 'retry-after': '5' }), { condition: 'PROVIDER_UNAVAILABLE', retryAfterMs: 5_000 }, OPEN],
    ['a huge refusal', ({ res }) => void res.writeHead(400).end('x'.repeat(300_000)), { condition: 'PROVIDER_REJECTED_REQUEST' }, STATE],
    [
      'HTML',
      ({ res }) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      { condition: 'PROVIDER_BAD_ANSWER' },
      OPEN,
    ],
    ['garbage', streaming('event: response.created\ndata: garbage\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }, OPEN],
    ['an answer before its beginning', streaming(delta('x')), { condition: 'PROVIDER_BAD_ANSWER' }, OPEN],
    ['an end before its beginning', streaming(completed()), { condition: 'PROVIDER_BAD_ANSWER' }, OPEN],
    ['an end of the stream', streaming(': ping\n\n'), { condition: 'PROVIDER_BAD_ANSWER' }, OPEN],
    [
      'an error event',
      streaming(event('error', { code: 'rate_limit_exceeded', message: 'secret' })),
      { condition: 'PROVIDER_RATE_LIMITED' },
      OPEN,
    ],
    ['an unknown error event', streaming(event('error', { code: null })), { condition: 'PROVIDER_UNAVAILABLE' }, OPEN],
    ['a cut', ({ res }) => void res.socket?.resetAndDestroy(), { condition: 'PROVIDER_UNAVAILABLE' }, OPEN],
  ])('%s is reported in the words of the gateway', async (_name, script, expected, upstreamState) => {
    const sink = await run(script);
    expect(sink).toMatchObject({ acceptances: 0, text: '' });
    const [outcome] = sink.outcomes;
    expect(outcome && 'error' in outcome && outcome.error).toMatchObject(expected);
    expect(outcome).toMatchObject({ upstreamState });
    expect(outcome && 'error' in outcome && outcome.error.message).not.toContain('secret');
  });

  it.each<[string, ResponseScript, string]>([
    [
      'a cut',
      async ({ res }) => (stream(res), res.write(CREATED + delta('part')), setTimeout(() => res.socket?.resetAndDestroy(), 50), undefined),
      'PROVIDER_UNAVAILABLE',
    ],
    ['an end', streaming(CREATED, delta('part')), 'PROVIDER_UNAVAILABLE'],
    ['garbage', streaming(CREATED, delta('part'), 'event: response.output_text.delta\ndata: null\n\n'), 'PROVIDER_BAD_ANSWER'],
    ['bad UTF-8', streaming(CREATED, delta('part'), Buffer.from([0x64, 0xff, 0xfe])), 'PROVIDER_BAD_ANSWER'],
    ['a failure', streaming(CREATED, delta('part'), failed('server_error')), 'PROVIDER_UNAVAILABLE'],
    ['a limit in the same bytes', streaming(CREATED + delta('part') + failed('rate_limit_exceeded')), 'PROVIDER_RATE_LIMITED'],
    ['what it will not say', streaming(CREATED, delta('part'), failed('invalid_prompt')), 'PROVIDER_REJECTED_REQUEST'],
    ['a huge event', streaming(CREATED, delta('part'), `event: x\ndata: ${'x'.repeat(9 * 1024 * 1024)}`), 'PROVIDER_BAD_ANSWER'],
  ])('%s in the middle keeps the text, and cancels the answer', async (_name, script, condition) => {
    const sink = await run(script);
    expect(sink).toMatchObject({ acceptances: 1, text: 'part' });
    expect(sink.outcomes).toMatchObject([{ error: { condition }, upstreamState: OPEN }]);
    await waitFor(() => upstream.received.some(({ path }) => path === '/v1/responses/resp_1/cancel'));
  });

  it.each([
    ['accepts nothing', ''],
    ['goes silent', CREATED],
  ])('an API that %s is given up', async (_name, begins) => {
    const script: ResponseScript = ({ res }) => (stream(res), void (begins && res.write(begins)));
    const sink = await run(script, { deadlines: { acceptanceMs: 100, silenceMs: 100 } });
    expect(sink.outcomes).toMatchObject([{ error: { condition: 'PROVIDER_TIMEOUT' }, upstreamState: OPEN }]);
    await waitFor(() => upstream.received[0]?.isClosed);
  });

  it('makes no call without a key', async () => {
    const account = { id: 'a', baseUrl: `${upstream.url}/v1`, account: '', secret: '' };
    await expect(openAiOfficial(pools).connect(account)).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    expect(upstream.received).toEqual([]);
  });

  describe('an answer', () => {
    it('of several messages keeps them apart', async () => {
      const sink = await run(streaming(CREATED, delta('one'), delta(' two'), delta('three', 'msg_2'), ITEM, completed()));
      expect(sink.text).toBe('one two\n\nthree');
      expect(sink.outcomes).toMatchObject([{ upstreamState: JSON.stringify({ conversation: 'conv_1', last: 'msg_1' }), usage: undefined }]);
    });

    it.each([
      ['max_output_tokens', 'length'],
      ['content_filter', 'content_filter'],
      ['of_tomorrow', 'stop'],
    ])('that is incomplete for %s ends with %s', async (reason, finishReason) => {
      const end = event('response.incomplete', {
        response: { incomplete_details: { reason }, usage: { input_tokens: 1, output_tokens: 2 } },
      });
      const sink = await run(streaming(CREATED, delta('part'), ITEM, end));
      expect(sink.outcomes).toMatchObject([{ finishReason, upstreamState: OPEN, usage: { tokensIn: 1, tokensOut: 2 } }]);
    });

    it('that refuses is text too, and counts that are none are not counted', async () => {
      const refusal = event('response.refusal.delta', { item_id: 'msg_1', delta: 'No.' });
      const sink = await run(streaming(CREATED, refusal, ITEM, completed({ input_tokens: 'many' })));
      expect(sink).toMatchObject({ text: 'No.', outcomes: [{ finishReason: 'content_filter', usage: undefined }] });
    });

    it('keeps what the model thinks apart from the text', async () => {
      const thought = event('response.reasoning_summary_text.delta', { item_id: 'rs_1', delta: 'Hm.' });
      const sink = await run(streaming(CREATED, thought, delta('Hi'), ITEM, completed()));
      expect(sink).toMatchObject({ text: 'Hi', thoughts: 'Hm.', outcomes: [{ finishReason: 'stop' }] });
    });
  });
});
