import { describe, expect, it } from '@jest/globals';
import { beforeEachOnSdkStage, data, refusing, type SdkStage } from '../../../../test/sdk-stage.ts';
import { type ResponseScript, streaming } from '../../testing/upstream.ts';
import { google } from './google.ts';

const chunk = (parts: object[], rest: object = {}) => data({ candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }] });
const counts = { promptTokenCount: 7, cachedContentTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 5, totalTokenCount: 14 };
const end = (finishReason = 'STOP') =>
  data({ candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason, index: 0 }], usageMetadata: counts });
const error = (code: number, status: string, message: string, details: object[] = []) => ({ error: { code, message, status, details } });

describe('Gemini over the AI SDK', () => {
  let stage: SdkStage;
  beforeEachOnSdkStage(google, (entered) => {
    stage = entered;
    stage.account = { ...stage.account, path: '/v1beta' };
  });
  const asked = () => stage.upstream.received[0];

  it('relays text and thoughts apart, and counts both', async () => {
    const sink = await stage.run(
      streaming(chunk([{ text: 'Hm', thought: true }]), chunk([{ text: 'Hel' }]), chunk([{ text: 'lo', thoughtSignature: 'c2ln' }]), end()),
    );
    expect(sink).toMatchObject({ text: 'Hello', thoughts: 'Hm', acceptances: 1 });
    expect(sink.outcomes).toEqual([{ finishReason: 'stop', upstreamState: '', usage: { tokensIn: 7, tokensOut: 7 } }]);
  });

  it('asks with the key, the system messages and the history, and gives images and PDFs as they are', async () => {
    const image = { content: { $case: 'imageUrl', value: `data:image/png;base64,${btoa('png')}` } } as const;
    const pdf = {
      ...{ fileId: 'b', name: 'b.pdf', mimeType: 'application/pdf', sizeBytes: 3, upstreamRef: '' },
      prepared: async () => ({ text: 'of the pdf', omitted: '', original: Buffer.from('pdf') }),
    };
    const history = [
      { id: '1', role: 'user', text: 'One', parts: [], files: [], status: 'completed' },
      { id: '2', role: 'assistant', text: 'Two', parts: [], files: [], status: 'completed' },
    ];
    const messages = [
      { role: 'system', text: 'Be brief', parts: [] },
      { role: 'user', text: 'Look', parts: [{ content: { $case: 'text', value: 'Look' } } as const, image] },
    ];
    const parameters = { top_p: 0.5, max_completion_tokens: 99, stop: ['a', 'b'], seed: 3, response_format: { type: 'json_object' } };
    await stage.run(streaming(chunk([{ text: '{}' }]), end()), {
      model: 'gemini-2.5-flash',
      history: () => history,
      messages,
      files: [pdf],
      parameters,
    });
    expect(asked()).toMatchObject({
      path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      headers: { 'x-goog-api-key': 'sk-1' },
      body: {
        systemInstruction: { parts: [{ text: 'Be brief' }] },
        generationConfig: { topP: 0.5, maxOutputTokens: 99, stopSequences: ['a', 'b'], seed: 3, responseMimeType: 'application/json' },
        contents: [
          { role: 'user', parts: [{ text: 'One' }] },
          { role: 'model', parts: [{ text: 'Two' }] },
          {
            role: 'user',
            parts: [
              { text: '[File "b.pdf":]' },
              { inlineData: { mimeType: 'application/pdf', data: btoa('pdf') } },
              { text: 'Look' },
              { inlineData: { mimeType: 'image/png', data: btoa('png') } },
            ],
          },
        ],
      },
    });
  });

  it('refuses images by URL', async () => {
    const image = { content: { $case: 'imageUrl', value: 'https://images.example.com/cat.png' } } as const;
    await expect(stage.failed(streaming(), { messages: [{ role: 'user', text: '', parts: [image] }] })).resolves.toMatchObject({
      condition: 'INVALID_REQUEST',
      param: 'messages',
    });
    expect(stage.upstream.received).toEqual([]);
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['OTHER', 'stop'],
  ])('says that %s is %s, with what came until then', async (reason, finishReason) => {
    expect(await stage.run(streaming(chunk([{ text: 'part' }]), end(reason)))).toMatchObject({
      text: 'part',
      outcomes: [{ finishReason }],
    });
  });

  it('reports the content filter when a question gets no answer', async () => {
    const blocked = data({
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
    });
    const sink = await stage.run(streaming(blocked));
    expect(sink).toMatchObject({
      text: '',
      acceptances: 1,
      outcomes: [{ finishReason: 'content_filter', usage: { tokensIn: 7, tokensOut: 0 } }],
    });
  });

  it.each<[string, ResponseScript, object]>([
    [
      'a key that is none, which it calls an invalid argument',
      refusing(400, error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [{ reason: 'API_KEY_INVALID' }])),
      { condition: 'ACCOUNT_REAUTH_REQUIRED' },
    ],
    ['a right that is missing', refusing(403, error(403, 'PERMISSION_DENIED', 'denied')), { condition: 'PROVIDER_FORBIDDEN' }],
    [
      'an unknown model',
      refusing(404, error(404, 'NOT_FOUND', 'models/m1 is not found for API version v1beta')),
      { condition: 'PROVIDER_MODEL_NOT_FOUND' },
    ],
    [
      'a limit, with the wait in its body',
      refusing(
        429,
        error(429, 'RESOURCE_EXHAUSTED', 'Quota', [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36.5s' }]),
      ),
      { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 37_000 },
    ],
    [
      'a conversation that is too long',
      refusing(
        400,
        error(400, 'INVALID_ARGUMENT', 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).'),
      ),
      { condition: 'PROVIDER_REJECTED_REQUEST', message: 'the conversation is longer than the model takes' },
    ],
    ['overload', refusing(503, error(503, 'UNAVAILABLE', 'The model is overloaded.')), { condition: 'PROVIDER_UNAVAILABLE' }],
    ['overload in the stream', streaming(data(error(503, 'UNAVAILABLE', 'overloaded'))), { condition: 'PROVIDER_UNAVAILABLE' }],
    ['a limit in the stream', streaming(data(error(429, 'RESOURCE_EXHAUSTED', 'Quota'))), { condition: 'PROVIDER_RATE_LIMITED' }],
    ['an end before the beginning', streaming(), { condition: 'PROVIDER_BAD_ANSWER' }],
    ['a whole answer instead of a stream', refusing(200, { candidates: [] }), { condition: 'PROVIDER_BAD_ANSWER' }],
  ])('is refused before acceptance by %s', async (_name, script, expected) => {
    expect(await stage.run(script)).toMatchObject({ text: '', acceptances: 0, outcomes: [{ error: expected }] });
    expect(stage.upstream.received).toHaveLength(1);
  });

  it.each<[string, string, string]>([
    ['overload', data(error(503, 'UNAVAILABLE', 'overloaded')), 'PROVIDER_UNAVAILABLE'],
    ['a failure', data(error(500, 'INTERNAL', 'internal')), 'PROVIDER_UNAVAILABLE'],
    ['the end of the connection', '', 'PROVIDER_UNAVAILABLE'],
    ['garbage', 'data: {"candidates":[\n\n', 'PROVIDER_BAD_ANSWER'],
  ])('keeps what came before %s in the stream', async (_name, then, condition) => {
    const sink = await stage.run(streaming(chunk([{ text: 'part' }]) + then));
    expect(sink).toMatchObject({ text: 'part', acceptances: 1, outcomes: [{ error: { condition } }] });
  });

  it('lists the models that chat', async () => {
    const models = [
      { name: 'models/gemini-2.5-pro', supportedGenerationMethods: ['generateContent', 'countTokens'] },
      { name: 'models/gemini-2.5-flash-preview-tts', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/text-embedding-004', supportedGenerationMethods: ['embedContent'] },
    ];
    stage.upstream.script = refusing(200, { models });
    await expect(stage.provider.test(stage.upstreamAccount)).resolves.toEqual({ models: ['gemini-2.5-pro'] });
    expect(asked()).toMatchObject({ path: '/v1beta/models?pageSize=1000', headers: { 'x-goog-api-key': 'sk-1' } });
  });
});
