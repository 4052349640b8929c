import { describe, expect, it } from '@jest/globals';
import { parseChat } from './parse-chat.ts';

const BODY = { model: 'auto', messages: [{ role: 'user', content: 'Hi' }] };
const ID = '01a1fdde-fed9-75a1-9e14-598252566435';

describe('parseChat', () => {
  it('asks for a turn with nothing but what the body and the headers say', () => {
    const { turn, includeUsage } = parseChat(
      { ...BODY, conversation_id: 'ignored', temperature: 0.1, tools: null, n: 1, logprobs: false },
      {},
    );
    expect(includeUsage).toBe(false);
    expect(turn).toMatchObject({
      model: 'auto',
      stream: false,
      conversationId: '',
      idempotencyKey: '',
      messages: [{ role: 'user', text: 'Hi', parts: [] }],
    });
    expect(turn).toMatchObject({ retry: false });
  });

  it('reads the routing headers', () => {
    const { turn } = parseChat(BODY, {
      'x-service-conversation-id': ID.toUpperCase(),
      'x-service-upstream-account': 'main',
      'x-service-upstream-project': 'reports',
      'x-service-project': 'inner',
      'x-service-route-profile': 'cheap',
    });
    expect(turn).toMatchObject({
      conversationId: ID,
      upstreamAccount: 'main',
      upstreamProject: 'reports',
      project: 'inner',
      routeProfile: 'cheap',
    });
  });

  it('takes developer for system, joins text parts, and keeps parts only where there is more than text', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const { turn } = parseChat(
      {
        model: 'auto',
        messages: [
          { role: 'developer', content: 'be brief' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
          { role: 'user', content: [{ type: 'text', text: 'c' }, image] },
        ],
      },
      {},
    );
    expect(turn.messages.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'be brief'],
      ['user', 'a\nb'],
      ['user', 'c'],
    ]);
    expect(turn.messages.map(({ parts }) => parts.length)).toEqual([0, 0, 2]);
  });

  it('accepts null as the content of an assistant message with tool calls, and of no other role', () => {
    const said = (role: string, content: unknown) => () => parseChat({ ...BODY, messages: [{ role, content }] }, {}).turn.messages;
    expect(said('assistant', null)()).toEqual([{ role: 'assistant', text: '', parts: [] }]);
    expect(said('user', null)).toThrow('messages.0.content: only messages of the assistant may be null');
  });

  it.each([
    [
      [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }],
      /part 0 .*\(input_audio\).*text and image_url.*\/v1\/audio\/trans/,
    ],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'file', file: { file_id: 'f' } },
      ],
      /part 1 .*\(file\).*attachment_file_ids/,
    ],
    [[{ type: '<b>' }], /part 0 has a type that is not supported; the content is/],
    [[{}], /part 0 has no type/],
    [[{ type: 'text' }], /incomplete part/],
    [7, /must be a string, or a list of parts/],
  ])('says what is taken instead of %j', (content, message) => {
    const parse = () => parseChat({ ...BODY, messages: [{ role: 'user', content }] }, {});
    expect(parse).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR', param: 'messages.0.content' }));
    expect(parse).toThrow(message);
  });

  it('names the files that are attached', () => {
    const ids = Array.from({ length: 20 }, (_, n) => `file_${n}`.padEnd(200, 'x'));
    expect(parseChat({ ...BODY, attachment_file_ids: ids }, {}).turn.attachmentFileIds).toEqual(ids);
    expect(parseChat({ ...BODY, attachment_file_ids: null }, {}).turn.attachmentFileIds).toEqual([]);
  });

  it('makes the same digest for the same request only', () => {
    const digest = (body: object, key = 'k') => Buffer.from(parseChat(body, { 'idempotency-key': key }).turn.requestDigest).toString('hex');
    expect(digest(BODY)).toBe(digest({ ...BODY, unknown: 1 }));
    expect(digest(BODY)).not.toBe(digest({ ...BODY, messages: [{ role: 'user', content: 'Ho' }] }));
    expect(digest(BODY, '')).toBe(digest(BODY));
  });

  it('makes the same digest wherever the request goes on: a new conversation that failed is continued by header', () => {
    const digest = (headers: Record<string, string>) => Buffer.from(parseChat(BODY, headers).turn.requestDigest).toString('hex');
    expect(digest({ 'x-service-conversation-id': ID })).toBe(digest({}));
    expect(digest({ 'x-service-upstream-account': 'main' })).not.toBe(digest({}));
  });

  it.each([
    ['1', true],
    ['2', true],
    ['0', false],
    ['', false],
    ['01', false],
    ['-1', false],
    ['yes', false],
  ])('takes the retry count %j for a retry: %p', (count, retry) => {
    expect(parseChat(BODY, { 'x-stainless-retry-count': count }).turn.retry).toBe(retry);
  });

  it.each([
    [{ ...BODY, tools: [] }, 'tools'],
    [{ ...BODY, tool_choice: 'auto' }, 'tool_choice'],
    [{ ...BODY, functions: [{ name: 'f' }] }, 'functions'],
    [{ ...BODY, function_call: 'auto' }, 'function_call'],
    [{ ...BODY, n: 2 }, 'n'],
    [{ ...BODY, logprobs: true }, 'logprobs'],
  ])('does not support %j', (body, param) => {
    expect(() => parseChat(body, {})).toThrow(expect.objectContaining({ condition: 'UNSUPPORTED_PARAMETER', param }));
  });

  it.each([{ functions: null }, { functions: [] }, { function_call: null }, { function_call: '' }])('takes %j for nothing', (fields) => {
    expect(() => parseChat({ ...BODY, ...fields }, {})).not.toThrow();
  });

  describe('the sampling parameters', () => {
    const toParameters = (fields: object) => parseChat({ ...BODY, ...fields }, {}).turn.parameters;
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };

    it('go on by their names, those that are something', () => {
      const given = { temperature: 0.5, top_p: 1, max_tokens: 5, max_completion_tokens: 6, stop: ['a'], seed: 1, response_format: format };
      const all = { ...given, presence_penalty: -1, frequency_penalty: 2 };
      expect(JSON.parse(toParameters({ ...all, user: 'x', logit_bias: {}, n: 1 }))).toEqual(all);
      expect(toParameters({})).toBe('');
      expect(toParameters({ temperature: null, stop: null })).toBe('');
    });

    it.each([{ stop: 7 }, { stop: ['a', 1] }, { seed: 'x' }, { response_format: 'json' }, { presence_penalty: {} }, { seed: 0.5 }])(
      'never make an error of %j, which is left out',
      (fields) => expect(JSON.parse(toParameters({ ...fields, temperature: 1 }))).toEqual({ temperature: 1 }),
    );

    it('are left out where they take more than 8 KB', () => {
      expect(toParameters({ temperature: 1, stop: 'x'.repeat(9_000) })).toBe('');
      expect(toParameters({ temperature: 1, stop: 'x'.repeat(8_000) })).not.toBe('');
    });

    it('distinguish requests', () => {
      const digest = (fields: object) => Buffer.from(parseChat({ ...BODY, ...fields }, {}).turn.requestDigest).toString('hex');
      expect(digest({ seed: 1 })).not.toBe(digest({ seed: 2 }));
      expect(digest({ seed: 'ignored' })).toBe(digest({}));
    });
  });

  it.each([
    [{}, {}, 'model'],
    [{ ...BODY, messages: [] }, {}, 'messages'],
    [{ ...BODY, messages: [{ role: 'wizard', content: 'x' }] }, {}, 'messages.0.role'],
    [{ ...BODY, messages: [{ role: 'user', content: 7 }] }, {}, 'messages.0.content'],
    [{ ...BODY, stream: 'true' }, {}, 'stream'],
    [{ ...BODY, attachment_file_ids: 'file_1' }, {}, 'attachment_file_ids'],
    [{ ...BODY, attachment_file_ids: [7] }, {}, 'attachment_file_ids.0'],
    [{ ...BODY, attachment_file_ids: [''] }, {}, 'attachment_file_ids.0'],
    [{ ...BODY, attachment_file_ids: ['x'.repeat(201)] }, {}, 'attachment_file_ids.0'],
    [{ ...BODY, attachment_file_ids: Array.from({ length: 21 }, () => 'x') }, {}, 'attachment_file_ids'],
    [[], {}, 'body'],
    [BODY, { 'x-service-conversation-id': 'abc' }, 'X-Service-Conversation-Id'],
    [BODY, { 'idempotency-key': 'k'.repeat(256) }, 'Idempotency-Key'],
    [BODY, { 'x-service-upstream-account': 'a\u00e9' }, 'X-Service-Upstream-Account'],
  ])('refuses %j with %j and names %s', (body, headers, param) => {
    expect(() => parseChat(body, headers)).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR', param }));
  });
});
