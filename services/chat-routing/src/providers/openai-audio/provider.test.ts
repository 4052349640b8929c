import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpPools } from '../http-pools.ts';
import { type ResponseScript, TestUpstream } from '../testing/upstream.ts';
import { openAiAudio } from './provider.ts';

/** A server without a list of models that answers its endpoint with this. */
const unlisted =
  (status: number, endpoint = '/v1/audio/speech'): ResponseScript =>
  ({ method, path, res }) =>
    void res.writeHead(method === 'POST' && path === endpoint ? status : 404).end('{}');

describe('openAiAudio', () => {
  const pools = new HttpPools(2_000);
  const upstream = new TestUpstream();
  const speech = openAiAudio(pools, 'speech');
  const account = () => ({ id: 'a', baseUrl: `${upstream.url}/v1`, account: '', secret: 'sk-1' });
  beforeAll(() => upstream.listen());
  beforeEach(() => {
    upstream.received.length = 0;
  });
  afterAll(async () => {
    await pools.close();
    await upstream.close();
  });

  it('asks for the models with the key', async () => {
    upstream.script = ({ res }) => void res.end('{"data":[{"id":"tts-1"}]}');
    await expect(speech.connect(account())).resolves.toEqual({ models: ['tts-1'], secret: 'sk-1' });
    expect(upstream.received).toMatchObject([{ path: '/v1/models', headers: { authorization: 'Bearer sk-1' } }]);
  });

  it.each([400, 415, 422])('takes a server without a list that refuses an empty request with %i', async (status) => {
    upstream.script = unlisted(status);
    await expect(speech.test(account())).resolves.toEqual({ models: [] });
    expect(upstream.received.at(-1)).toMatchObject({ body: {}, headers: { authorization: 'Bearer sk-1' } });
  });

  it('asks a transcription server at its own endpoint', async () => {
    upstream.script = unlisted(422, '/v1/audio/transcriptions');
    await expect(openAiAudio(pools, 'transcription').test(account())).resolves.toEqual({ models: [] });
    await expect(speech.test(account())).rejects.toMatchObject({ condition: 'INVALID_REQUEST' });
  });

  it.each([
    [401, 'ACCOUNT_REAUTH_REQUIRED'],
    [404, 'INVALID_REQUEST'],
    [429, 'PROVIDER_RATE_LIMITED'],
    [500, 'PROVIDER_BAD_ANSWER'],
  ])('tells a server without a list that answers %i', async (status, condition) => {
    upstream.script = unlisted(status);
    await expect(speech.test(account())).rejects.toMatchObject({ condition });
  });

  it('reports a model list that refuses the key, and makes no other call', async () => {
    upstream.script = ({ res }) => void res.writeHead(401).end('{}');
    await expect(speech.test(account())).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    expect(upstream.received).toHaveLength(1);
  });
});
