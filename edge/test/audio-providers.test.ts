import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';

type Json = Record<string, unknown>;

describe('providers of speech', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());
  const get = <T = Json>(path: string) => call<T>(`${fixture.edge.url}${path}`, { key: API_KEY });

  it('are listed, with their voices and what they can do', async () => {
    const list = await get<Json[]>('/v1/audio/providers');
    const flite = {
      name: 'flite',
      kind: 'embedded',
      available: true,
      is_default: true,
      languages: ['en'],
      response_formats: ['wav', 'pcm'],
      voices: 2,
    };
    expect([list.status, list.body, list.headers.get('x-total-count')]).toEqual([200, [flite], '1']);
    const able = await get('/v1/audio/providers/flite/capabilities');
    expect(able.body).toEqual({
      ...flite,
      max_input_characters: 10_000,
      supports_speed: true,
      provider_options: { type: 'object', properties: { rate: { type: 'number' } } },
    });
    const voices = await get<Json[]>('/v1/audio/providers/flite/voices?dialect=en-GB&gender=male');
    expect(voices.body).toEqual([
      { id: 'awb', name: 'AWB', provider: 'flite', language: 'en', dialect: 'en-GB', gender: 'male', sample_rate: 16_000 },
    ]);
    expect(voices.headers.get('link')).toContain('</v1/audio/providers/flite/voices?dialect=en-GB&gender=male>');
    expect((await get<Json[]>('/v1/audio/providers/flite/voices')).headers.get('x-total-count')).toBe('2');
  });

  it.each(['voices', 'capabilities'])('have no %s when there is no such provider', async (what) => {
    const { status, body } = await get<ErrorBody>(`/v1/audio/providers/none/${what}`);
    expect([status, body.error.code]).toEqual([404, 'AUDIO_PROVIDER_NOT_FOUND']);
    expect((await get<ErrorBody>(`/v1/audio/providers/..%2fx/${what}`)).body.error).toMatchObject({ param: 'provider' });
  });

  it('have voices of three genders', async () => {
    const { status, body } = await get<ErrorBody>('/v1/audio/providers/flite/voices?gender=robot');
    expect([status, body.error.param]).toEqual([422, 'gender']);
  });
});
