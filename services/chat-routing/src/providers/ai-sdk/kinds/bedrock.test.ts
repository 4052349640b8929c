import { describe, expect, it } from '@jest/globals';
import { eventFrame } from '../../../../test/event-frames.ts';
import { beforeEachOnSdkStage, refusing, type SdkStage } from '../../../../test/sdk-stage.ts';
import { type ResponseScript } from '../../testing/upstream.ts';
import { bedrock } from './bedrock.ts';

const START = eventFrame('messageStart', { role: 'assistant' });
const text = (said: string) => eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: said } });
const END = [
  eventFrame('contentBlockStop', { contentBlockIndex: 0 }),
  eventFrame('messageStop', { stopReason: 'end_turn' }),
  eventFrame('metadata', { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 }, metrics: { latencyMs: 1 } }),
];

function framing(...frames: Buffer[]): ResponseScript {
  return ({ res }) => {
    res.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    res.end(Buffer.concat(frames));
  };
}

const MODEL = 'anthropic.claude-3-haiku-20240307-v1:0';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const BAD_SIGNATURE = 'The security token included in the request is invalid.';

describe('Amazon Bedrock over the AI SDK', () => {
  let stage: SdkStage;
  beforeEachOnSdkStage(bedrock, (entered) => {
    stage = entered;
    stage.account = { account: 'eu-central-1', path: '', secret: 'AKIAIOSFODNN7EXAMPLE:c2VjcmV0L2tleQ' };
  });
  const asked = () => stage.upstream.received[0];

  it('relays frames of events, and signs its request', async () => {
    const thought = eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } });
    const sink = await stage.run(framing(START, thought, text('Hel'), text('lo'), ...END), {
      model: MODEL,
      traceparent: TRACEPARENT,
    });
    expect(sink).toMatchObject({ text: 'Hello', thoughts: 'Hm', acceptances: 1 });
    expect(sink.outcomes).toEqual([{ finishReason: 'stop', upstreamState: '', usage: { tokensIn: 3, tokensOut: 4 }, model: MODEL }]);
    expect(asked()?.path).toBe('/model/anthropic.claude-3-haiku-20240307-v1%3A0/converse-stream');
    expect(asked()?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=/,
    );
    // A proxy that continues the trace changes the header, and a signature over it would not hold any more.
    expect(asked()?.headers.traceparent).toBe(TRACEPARENT);
    expect(asked()?.headers.authorization).not.toContain('traceparent');
    expect(asked()?.body).toMatchObject({ messages: [{ role: 'user', content: [{ text: 'Hello' }] }] });
  });

  it('takes an API key of Bedrock, and gives PDFs as they are', async () => {
    stage.account.secret = 'bedrock-api-key-1';
    const pdf = {
      ...{ fileId: 'b', name: 'b.pdf', mimeType: 'application/pdf', sizeBytes: 3, upstreamRef: '' },
      prepared: async () => ({ text: 'of the pdf', omitted: '', original: Buffer.from('pdf') }),
    };
    await stage.run(framing(START, text('x'), ...END), { files: [pdf] });
    expect(asked()?.headers.authorization).toBe('Bearer bedrock-api-key-1');
    expect(JSON.stringify(asked()?.body)).toContain(`"format":"pdf"`);
    expect(JSON.stringify(asked()?.body)).toContain(`"bytes":"${btoa('pdf')}"`);
  });

  it.each<[string, ResponseScript, object]>([
    ['credentials that are none', refusing(403, { message: BAD_SIGNATURE }), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
    [
      'a model that was not granted',
      refusing(403, { message: "You don't have access to the model with the specified model ID." }),
      { condition: 'PROVIDER_FORBIDDEN' },
    ],
    [
      'a model that there is not',
      refusing(400, { message: 'The provided model identifier is invalid.' }),
      { condition: 'PROVIDER_MODEL_NOT_FOUND' },
    ],
    ['a limit', refusing(429, { message: 'Too many requests' }), { condition: 'PROVIDER_RATE_LIMITED' }],
    [
      'a limit in the stream',
      framing(eventFrame('throttlingException', { message: 'slow' }, 'exception')),
      { condition: 'PROVIDER_RATE_LIMITED' },
    ],
    ['a length that is none', framing(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0])), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['an end before the beginning', framing(), { condition: 'PROVIDER_BAD_ANSWER' }],
  ])('is refused before acceptance by %s', async (_name, script, expected) => {
    expect(await stage.run(script)).toMatchObject({ text: '', acceptances: 0, outcomes: [{ error: expected }] });
  });

  it('keeps what came before an exception in the stream', async () => {
    const failed = eventFrame('modelStreamErrorException', { message: 'failed' }, 'exception');
    const sink = await stage.run(framing(START, text('part'), failed));
    expect(sink).toMatchObject({ text: 'part', acceptances: 1, outcomes: [{ error: { condition: 'PROVIDER_UNAVAILABLE' } }] });
  });

  it('proves the credentials with a model that there is not', async () => {
    stage.upstream.script = refusing(400, { message: 'The provided model identifier is invalid.' });
    await expect(stage.provider.connect(stage.upstreamAccount)).resolves.toMatchObject({ models: [] });
    stage.upstream.script = refusing(403, { message: BAD_SIGNATURE });
    await expect(stage.provider.connect(stage.upstreamAccount)).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
  });

  it.each([
    ['', 'AKIAIOSFODNN7EXAMPLE:key', 'account'],
    ['Frankfurt', 'AKIAIOSFODNN7EXAMPLE:key', 'account'],
    ['eu-central-1', 'AKIAIOSFODNN7EXAMPLE:', 'api_key'],
    ['eu-central-1', 'key:AKIAIOSFODNN7EXAMPLE', 'api_key'],
    ['eu-central-1', 'AKIAIOSFODNN7EXAMPLE:key:token:more', 'api_key'],
  ])('refuses account %j with secret %j', async (account, secret, param) => {
    const refused = stage.provider.connect({ ...stage.upstreamAccount, account, secret });
    await expect(refused).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param });
    expect(stage.upstream.received).toEqual([]);
  });

  it.each([
    ['eu-central-1', 'https://bedrock-runtime.eu-central-1.amazonaws.com'],
    ['us-gov-west-1', 'https://bedrock-runtime.us-gov-west-1.amazonaws.com'],
    ['cn-north-1', 'https://bedrock-runtime.cn-north-1.amazonaws.com.cn'],
  ])('knows where %s is', (region, url) => {
    const { baseUrl } = stage.provider.traits;
    expect(typeof baseUrl === 'function' && baseUrl(region)).toBe(url);
  });
});
