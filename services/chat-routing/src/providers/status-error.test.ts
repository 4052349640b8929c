import { describe, expect, it } from '@jest/globals';
import { toBodyError } from './body-error.ts';
import { toStatusError } from './status-error.ts';

const openAi = (code: string | null, message = 'words', rest: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code, ...rest },
});
const TOO_LONG = 'the conversation is longer than the model takes';
const POLICY = 'the provider refuses to answer this: its content policy forbids it';
const PARAMETER = 'the model does not take a parameter of the request, or not with this value';
const HTML = '<html><head><title>404 Not Found</title></head><body>nginx and its model</body></html>';

describe('toStatusError', () => {
  it.each<[string, number, unknown, string]>([
    ['OpenAI, a spent quota', 429, openAi('insufficient_quota', 'You exceeded your current quota'), 'PROVIDER_NO_CREDIT'],
    ['OpenAI, a limit of speed', 429, openAi('rate_limit_exceeded'), 'PROVIDER_RATE_LIMITED'],
    [
      'Google, a limit in the words of a quota',
      429,
      [
        {
          error: {
            code: 429,
            message: 'You exceeded your current quota, please check your plan and billing',
            status: 'RESOURCE_EXHAUSTED',
          },
        },
      ],
      'PROVIDER_RATE_LIMITED',
    ],
    [
      'Google, billing that is off',
      403,
      { error: { code: 403, status: 'PERMISSION_DENIED', details: [{ reason: 'BILLING_DISABLED' }] } },
      'PROVIDER_NO_CREDIT',
    ],
    [
      'Google, a wrong key',
      400,
      [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }],
      'ACCOUNT_REAUTH_REQUIRED',
    ],
    [
      'Google, no model',
      404,
      [{ error: { code: 404, message: 'models/gemini-9 is not found for API version v1main', status: 'NOT_FOUND' } }],
      'PROVIDER_MODEL_NOT_FOUND',
    ],
    [
      'Anthropic, no credit',
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' } },
      'PROVIDER_NO_CREDIT',
    ],
    [
      'Anthropic, no model',
      404,
      { type: 'error', error: { type: 'not_found_error', message: 'model: claude-9' } },
      'PROVIDER_MODEL_NOT_FOUND',
    ],
    ['Anthropic, overloaded', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'PROVIDER_UNAVAILABLE'],
    ['DeepSeek, no credit', 402, openAi('invalid_request_error', 'Insufficient Balance'), 'PROVIDER_NO_CREDIT'],
    ['OpenRouter, no credit', 402, { error: { code: 402, message: 'Insufficient credits' } }, 'PROVIDER_NO_CREDIT'],
    [
      'OpenRouter, a flagged prompt',
      403,
      { error: { code: 403, message: 'openai/x requires moderation', metadata: { reasons: ['violence'] } } },
      'PROVIDER_REJECTED_REQUEST',
    ],
    [
      'Ollama, no model',
      404,
      { error: { message: 'model "llama9" not found, try pulling it first', type: 'api_error', code: null } },
      'PROVIDER_MODEL_NOT_FOUND',
    ],
    ['Ollama, its own form', 404, { error: "model 'llama9' not found" }, 'PROVIDER_MODEL_NOT_FOUND'],
    [
      'vLLM, no model',
      404,
      { object: 'error', message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 },
      'PROVIDER_MODEL_NOT_FOUND',
    ],
    [
      'xAI, no model',
      404,
      { code: 'Some requested entity was not found', error: 'The model grok-9 does not exist' },
      'PROVIDER_MODEL_NOT_FOUND',
    ],
    [
      'Mistral, no model',
      400,
      { object: 'error', message: 'Invalid model: m', type: 'invalid_model', param: null, code: '1500' },
      'PROVIDER_MODEL_NOT_FOUND',
    ],
    ['LiteLLM, no model', 400, openAi('400', 'Invalid model name passed in model=m'), 'PROVIDER_MODEL_NOT_FOUND'],
    ['OpenAI, a model of others', 403, openAi('model_not_found'), 'PROVIDER_MODEL_NOT_FOUND'],
    [
      'Azure, no deployment',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
      'PROVIDER_MODEL_NOT_FOUND',
    ],
    ['a page of a web server', 404, HTML, 'PROVIDER_BAD_ANSWER'],
    ['a path that FastAPI does not have', 404, { detail: 'Not Found' }, 'PROVIDER_BAD_ANSWER'],
    ['nothing', 404, '', 'PROVIDER_BAD_ANSWER'],
    ['a method', 405, { detail: 'Method Not Allowed' }, 'PROVIDER_BAD_ANSWER'],
    ['a key', 401, openAi('invalid_api_key'), 'ACCOUNT_REAUTH_REQUIRED'],
    ['what is not allowed', 403, { message: 'forbidden' }, 'PROVIDER_FORBIDDEN'],
    ['a timeout', 408, '', 'PROVIDER_TIMEOUT'],
    ['a timeout of a gateway', 504, HTML, 'PROVIDER_TIMEOUT'],
    ['a server that fails', 500, openAi('server_error'), 'PROVIDER_BAD_ANSWER'],
    ['a gateway that fails', 502, HTML, 'PROVIDER_BAD_ANSWER'],
    ['a server that loads', 503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'PROVIDER_UNAVAILABLE'],
    ['a redirect', 307, '', 'PROVIDER_BAD_ANSWER'],
    ['no content', 204, '', 'PROVIDER_BAD_ANSWER'],
    ['a body that is odd', 400, [null, 7], 'PROVIDER_REJECTED_REQUEST'],
    [
      'words that only quote a person',
      400,
      openAi(null, 'cannot parse "Your credit balance is too low. API key not valid"'),
      'PROVIDER_REJECTED_REQUEST',
    ],
  ])('knows %s', (_name, status, body, condition) => {
    expect(toStatusError(status, body)).toMatchObject({ condition });
  });

  it.each<[string, number, unknown, string, string | undefined]>([
    ['OpenAI', 400, openAi('context_length_exceeded'), TOO_LONG, 'messages'],
    [
      'vLLM',
      400,
      { object: 'error', message: "This model's maximum context length is 4096 tokens.", type: 'BadRequestError', code: 400 },
      TOO_LONG,
      'messages',
    ],
    [
      'llama.cpp',
      400,
      { error: { code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } },
      TOO_LONG,
      'messages',
    ],
    [
      'Anthropic',
      400,
      { error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
      TOO_LONG,
      'messages',
    ],
    ['Azure', 400, { error: { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } }, POLICY, 'messages'],
    ['OpenAI', 400, openAi('unsupported_parameter', 'Unsupported parameter', { param: 'temperature' }), PARAMETER, 'temperature'],
    [
      'Mistral',
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted', input: 7 }] },
      PARAMETER,
      undefined,
    ],
    ['nginx', 413, HTML, 'the request is larger than the provider takes', undefined],
    ['any', 422, {}, 'the provider rejected the request', undefined],
  ])('says why %s rejects the request with %i', (_name, status, body, message, param) => {
    expect(toStatusError(status, body)).toMatchObject({ condition: 'PROVIDER_REJECTED_REQUEST', message, param });
  });

  it.each([
    ['30', 30_000],
    [['7', '8'], 7_000],
    ['86400', 3_600_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('believes a Retry-After of %j', (header, retryAfterMs) => {
    expect(toStatusError(429, {}, header)).toMatchObject({ retryAfterMs });
    expect(toStatusError(400, {}, header).retryAfterMs).toBeUndefined();
  });

  describe('keeps the message of the upstream for operators', () => {
    const words = (message: unknown, secret?: string) =>
      toStatusError(500, typeof message === 'string' ? openAi(null, message) : message, undefined, secret).upstream?.responseText;

    it('in one line of 300 characters', () => {
      expect(words('a\r\n\tb\u0000c')).toBe('a b c');
      expect(words('word '.repeat(5_000))).toHaveLength(300);
      expect(words({ detail: [{ loc: ['body', 0], msg: 'no', input: 'what a person said' }] })).toBe('body.0 no');
      expect(toStatusError(502, HTML).upstream).toEqual({ status: 502, responseText: '404 Not Found nginx and its model' });
    });

    it.each([
      ['Incorrect API key provided: sk-abcdef123456.', undefined],
      ['Authorization: Bearer abc.def-123', undefined],
      ['key AIzaSyA-1234567890abcdef refused', undefined],
      ['key gsk_0123456789abcdefghijklmn refused', undefined],
      ['key xai-0123456789abcdefghijklmn refused', undefined],
      ['your key hunter-2 is wrong', 'hunter-2'],
    ])('without the secret of %j', (message, secret) => {
      const kept = words(message, secret);
      expect(kept).toContain('***');
      expect(kept).not.toMatch(/abcdef|abc\.def|0123456789|hunter/);
    });

    it('without a half of a secret that is cut in two', () => {
      expect(words(`${'sk-0123456789 '.repeat(285)}${'s'.repeat(50)}ecret`)).not.toContain('sssss');
    });

    it('whatever they are', () => {
      const hostile = ['<'.repeat(64_000), '<script'.repeat(9_000), 'a-'.repeat(32_000), ' '.repeat(64_000), 'model '.repeat(10_000)];
      for (const body of hostile) expect(toStatusError(400, body)).toMatchObject({ condition: 'PROVIDER_REJECTED_REQUEST' });
    });
  });
});

describe('toBodyError', () => {
  it.each<[string, unknown, string]>([
    ['a status for a code', { error: { code: 429, message: 'slow' } }, 'PROVIDER_RATE_LIMITED'],
    ['a status in words', { object: 'error', message: 'bad', code: '400' }, 'PROVIDER_REJECTED_REQUEST'],
    ['a limit', openAi('rate_limit_exceeded'), 'PROVIDER_RATE_LIMITED'],
    ['a spent quota', openAi('insufficient_quota'), 'PROVIDER_NO_CREDIT'],
    ['too long a conversation', openAi('context_length_exceeded'), 'PROVIDER_REJECTED_REQUEST'],
    ['an overload', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'PROVIDER_UNAVAILABLE'],
    ['anything else', { error: 'boom' }, 'PROVIDER_UNAVAILABLE'],
  ])('knows %s', (_name, body, condition) => {
    expect(toBodyError(body)).toMatchObject({ condition });
  });
});
