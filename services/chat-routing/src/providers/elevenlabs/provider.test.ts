import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpPools } from '../http-pools.ts';
import { type ResponseScript, TestUpstream } from '../testing/upstream.ts';
import { elevenLabs } from './provider.ts';

const model = (id: string, speaks: boolean) => ({
  model_id: id,
  name: id,
  can_do_text_to_speech: speaks,
  languages: [{ language_id: 'en' }],
});
const MODELS = [model('eleven_v3', true), model('eleven_english_sts_v2', false), model('eleven_multilingual_v2', true)];

const answering =
  (status: number, body: unknown): ResponseScript =>
  ({ res }) =>
    void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const refusing = (status: number, code: string) => answering(status, { detail: { status: code, message: 'in their words' } });

describe('elevenLabs', () => {
  const pools = new HttpPools(2_000);
  const upstream = new TestUpstream();
  const kind = elevenLabs(pools);
  const account = () => ({ id: 'a', baseUrl: upstream.url, account: '', secret: 'sk_1' });
  beforeAll(() => upstream.listen());
  beforeEach(() => {
    upstream.received.length = 0;
  });
  afterAll(async () => {
    await pools.close();
    await upstream.close();
  });

  it('asks for the models with the key, and puts the one that is used by default first', async () => {
    upstream.script = answering(200, MODELS);
    await expect(kind.connect(account())).resolves.toEqual({ models: ['eleven_multilingual_v2', 'eleven_v3'], secret: 'sk_1' });
    expect(upstream.received).toMatchObject([{ method: 'GET', path: '/v1/models', headers: { 'xi-api-key': 'sk_1' } }]);
    expect(upstream.received[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    { status: 'missing_permissions', message: 'The API key you used is missing the permission models_read to execute this operation.' },
    { type: 'authentication_error', code: 'unauthorized', status: 'missing_permissions', message: '' },
    { type: 'authentication_error', code: 'missing_permissions', message: '' },
  ])('takes a key that is good but may not list models: %#', async (detail) => {
    upstream.script = answering(401, { detail });
    await expect(kind.test(account())).resolves.toEqual({ models: [] });
  });

  it.each<[string, ResponseScript, string]>([
    ['a key that is none', refusing(401, 'invalid_api_key'), 'ACCOUNT_REAUTH_REQUIRED'],
    ['a limit', refusing(429, 'too_many_concurrent_requests'), 'PROVIDER_RATE_LIMITED'],
    ['a failure of theirs', answering(500, 'Internal Server Error'), 'PROVIDER_BAD_ANSWER'],
    ['a list that is none', answering(200, { data: [] }), 'PROVIDER_BAD_ANSWER'],
  ])('refuses over %s', async (_name, script, condition) => {
    upstream.script = script;
    await expect(kind.test(account())).rejects.toMatchObject({ condition, message: expect.not.stringContaining('their words') });
  });
});
