import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type ReportConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Answer, type ApiVoice, AUDIO_BYTES, ElevenLabsApi, refuse, refusing, VOICES } from '../../../test/elevenlabs-api.ts';
import { newCaller } from '../../../test/fixture.ts';
import { parseProviderOptions } from '../../domain/provider-options.ts';
import { findVoice } from '../../domain/voice.ts';
import { type ChatRoutingClient } from '../speech-connection.ts';
import { type SpeechRequest } from '../speech-provider.ts';
import { elevenLabsProvider } from './provider.ts';

const NEVER = new AbortController().signal;
const GEORGE = 'JBFqnCBsd6RMkjVDRZzb';

const garbage: Answer = ({ res }) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');

const silence: Answer = ({ res }) => void res.writeHead(200, { 'content-type': 'audio/pcm' }).end();

/** Some audio, and then no more of it. */
const breaksOff: Answer = ({ res }) => {
  res.writeHead(200, { 'content-type': 'audio/pcm' });
  res.write(Buffer.alloc(100), () => res.destroy());
};

function limitedFor(seconds: number, code = 'rate_limit_exceeded'): Answer {
  return (request) => {
    request.res.setHeader('retry-after', String(seconds));
    refuse(request, 429, { type: 'rate_limit_error', code, message: 'in their words' });
  };
}

describe('ElevenLabs', () => {
  const api = new ElevenLabsApi();
  const reports: Partial<ReportConnectionRequest>[] = [];
  const connection = { secret: 's', models: ['eleven_multilingual_v2'] };
  const routing = {
    acquireConnection: async () => ({
      id: 'c',
      provider: 'elevenlabs',
      label: 'l',
      account: '',
      probing: false,
      baseUrl: api.url,
      ...connection,
    }),
    reportConnection: async (report: ReportConnectionRequest) => {
      reports.push(report);
      return {};
    },
  } as unknown as ChatRoutingClient;
  const provider = elevenLabsProvider(routing);
  let caller: Caller;
  beforeAll(() => api.listen());
  afterAll(() => api.close());
  beforeEach(() => {
    Object.assign(connection, { secret: 's', models: ['eleven_multilingual_v2'] });
    caller = newCaller();
    api.voices = VOICES;
    for (const list of [api.received, api.next, reports]) list.length = 0;
  });

  const speak = (part: Partial<SpeechRequest> = {}, signal: AbortSignal = NEVER, onProgress: (done: number) => void = () => undefined) => {
    const request = { input: 'Good morning.', voice: GEORGE, model: '', language: '', speed: 1, options: {}, ...part };
    return provider.speak(request, { caller, signal, onProgress });
  };
  const voices = () => provider.voices(caller, NEVER);
  const bodies = () => api.spoken.map(({ body }) => body);
  const samples = ({ pcm }: { pcm: Buffer[] }) => Buffer.concat(pcm).length;

  describe('voices', () => {
    it('are listed over all pages, those of every account first, with what their labels say', async () => {
      await expect(voices()).resolves.toEqual([
        { id: GEORGE, name: 'George', language: 'en', dialect: 'en-GB', gender: 'male', sampleRate: 24_000 },
        { id: 'EXAVITQu4vr4xnSDxMaL', name: 'Sarah', language: 'en', dialect: 'en-US', gender: 'female', sampleRate: 24_000 },
        { id: 'SAz9YHcvj6GT2YYXdXww', name: 'River', language: 'mul', dialect: '', gender: 'neutral', sampleRate: 24_000 },
        { id: 'pNInz6obpgDQGcFmaJgB', name: 'My own voice', language: 'sv', dialect: '', gender: 'male', sampleRate: 24_000 },
      ]);
      expect(api.received).toMatchObject([{ method: 'GET', key: 's' }]);
      caller = newCaller();
      const own = (n: number): ApiVoice => ({ voice_id: `v${n}`, name: `Voice ${n}`, category: 'cloned', labels: {} });
      api.voices = Array.from({ length: 250 }, (_, n) => own(n));
      expect((await voices()).map(({ id }) => id)).toEqual(api.voices.map(({ voice_id: id }) => id));
      expect(api.received.slice(1).map(({ url }) => url.searchParams.get('next_page_token'))).toEqual([null, '100', '200']);
    });

    it('end at a thousand', async () => {
      api.voices = Array.from({ length: 1_100 }, (_, n) => ({ voice_id: `v${n}`, name: '', category: 'cloned', labels: {} }));
      await expect(voices()).resolves.toHaveLength(1_000);
    });

    it('are asked for once, for each workspace', async () => {
      await voices();
      await voices();
      expect(api.received).toHaveLength(1);
      caller = newCaller();
      await voices();
      expect(api.received).toHaveLength(2);
    });

    it.each([
      ['alloy', 'River'],
      ['nova', 'Sarah'],
      ['onyx', 'George'],
      ['ExavitQu4vr4xnSDxMaL', 'Sarah'],
    ])('%s is %s', async (asked, name) => {
      expect(findVoice(await voices(), asked)?.name).toBe(name);
    });

    it('are asked for again after a failure, which is not kept', async () => {
      api.next.push(refusing(401, 'missing_permissions'));
      await expect(voices()).rejects.toMatchObject({ condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' });
      api.next.push(...Array.from({ length: 3 }, () => garbage));
      await expect(voices()).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
      await expect(voices()).resolves.toHaveLength(4);
      expect(reports.map(({ ok, condition }) => [ok, condition])).toEqual([
        [false, 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED'],
        [false, 'PROVIDER_BAD_ANSWER'],
        [true, ''],
      ]);
    });
  });

  describe('a text', () => {
    it('is sent with the key of the account, and comes back in chunks', async () => {
      const speech = await speak();
      expect(speech.sampleRate).toBe(24_000);
      expect(samples(speech)).toBe(AUDIO_BYTES);
      expect(api.spoken).toMatchObject([{ key: 's', body: { text: 'Good morning.', model_id: 'eleven_multilingual_v2' } }]);
      expect(bodies()[0]).not.toHaveProperty('voice_settings');
      expect(reports).toMatchObject([{ connectionId: 'c', ok: true }]);
    });

    it('of 10,000 characters goes in passages at sentences, each with what is around it, and is one', async () => {
      const input = 'One sentence of some length. '.repeat(345).trim();
      expect(input.length).toBeGreaterThan(10_000);
      const progress: number[] = [];
      const speech = await speak({ input: input.slice(0, 10_000) }, NEVER, (done) => progress.push(done));
      const texts = bodies().map(({ text }) => String(text));
      expect(texts).toHaveLength(5);
      expect(texts.join(' ')).toBe(input.slice(0, 10_000).trim());
      for (const text of texts.slice(0, -1)) expect(text).toMatch(/\.$/);
      expect(bodies()[0]).toMatchObject({ next_text: texts[1]?.slice(0, 300) });
      expect(bodies()[0]).not.toHaveProperty('previous_text');
      expect(bodies()[4]).toMatchObject({ previous_text: texts[3]?.slice(-300) });
      expect(samples(speech)).toBe(5 * AUDIO_BYTES);
      expect(progress).toHaveLength(5);
      expect(progress.at(-1)).toBeCloseTo(1, 2);
    });

    it('goes to eleven_v3 without what is around it', async () => {
      await speak({ input: 'One sentence of some length. '.repeat(100), model: 'eleven_v3' });
      expect(bodies().map((body) => Object.keys(body).sort())).toEqual([
        ['model_id', 'text'],
        ['model_id', 'text'],
      ]);
    });

    it.each([
      ['', 'eleven_multilingual_v2'],
      ['tts-1-hd', 'eleven_multilingual_v2'],
      ['gpt-4o-mini-tts', 'eleven_multilingual_v2'],
      ['eleven_flash_v2_5', 'eleven_flash_v2_5'],
    ])('for the model "%s" is spoken by %s', async (model, used) => {
      await speak({ model });
      expect(bodies()).toMatchObject([{ model_id: used }]);
    });

    it('is spoken by the first model that the operator has named', async () => {
      connection.models = ['eleven_flash_v2_5', 'eleven_v3'];
      await speak({ model: 'tts-1' });
      expect(bodies()).toMatchObject([{ model_id: 'eleven_flash_v2_5' }]);
    });

    it('takes its language along where the model can be held to one', async () => {
      await speak({ language: 'en-GB', model: 'eleven_flash_v2_5' });
      await speak({ language: 'en-GB' });
      await speak({ model: 'eleven_v3', language: 'en', options: parseProviderOptions(provider.options, '{"language_code":"sv"}') });
      expect(bodies().map((body) => body['language_code'])).toEqual(['en', undefined, 'sv']);
    });

    it('is spoken with the settings that were asked for', async () => {
      const options = parseProviderOptions(
        provider.options,
        '{"stability":0.3,"use_speaker_boost":false,"seed":7,"apply_text_normalization":"on"}',
      );
      await speak({ options, speed: 1.1 });
      expect(bodies()).toMatchObject([
        { voice_settings: { stability: 0.3, use_speaker_boost: false, speed: 1.1 }, seed: 7, apply_text_normalization: 'on' },
      ]);
      expect(Object.keys(bodies()[0]?.['voice_settings'] as object)).toEqual(['stability', 'use_speaker_boost', 'speed']);
    });

    it.each(['{"stability":2}', '{"speed":4}', '{"pitch":1}', '{"language_code":"english"}'])(
      'is refused with the option %s',
      (options) => {
        expect(() => parseProviderOptions(provider.options, options)).toThrow(GatewayError);
      },
    );

    it('is refused at a speed that they do not have, before it is sent', async () => {
      await expect(speak({ speed: 2 })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'speed' });
      expect(api.received).toEqual([]);
      expect(reports).toMatchObject([{ ok: true }]);
    });
  });

  describe('a refusal', () => {
    it.each<[string, Answer, object]>([
      ['of the key', refusing(401, 'invalid_api_key'), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
      ['of a missing key', refusing(401, 'needs_authorization'), { condition: 'ACCOUNT_REAUTH_REQUIRED' }],
      ['over spent credit', refusing(401, 'quota_exceeded'), { condition: 'PROVIDER_NO_CREDIT', retryAfterMs: 300_000 }],
      [
        'over spent credit, newer',
        (r) => refuse(r, 402, { type: 'payment_required', code: 'insufficient_credits' }),
        { condition: 'PROVIDER_NO_CREDIT' },
      ],
      ['over a permission of the key', refusing(401, 'missing_permissions'), { condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' }],
      ['over the plan', refusing(403, 'output_format_not_allowed'), { condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' }],
      ['over unusual activity', refusing(401, 'detected_unusual_activity'), { condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' }],
      [
        'of what does not validate',
        (r) => refuse(r, 422, [{ loc: ['body', 'text'], msg: 'field required' }]),
        { condition: 'VALIDATION_ERROR' },
      ],
      ['with the name of a property of every object', refusing(400, 'constructor'), { condition: 'VALIDATION_ERROR' }],
      ['that says to wait for long', limitedFor(60), { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 60_000 }],
    ])('%s is coded, not repeated, and nothing of theirs is relayed', async (_name, answer, expected) => {
      api.next.push(answer);
      await expect(speak()).rejects.toMatchObject({ ...expected, message: expect.not.stringMatching(/their words|Good morning/) });
      expect(api.spoken).toHaveLength(1);
    });

    it('of a voice or a model names the parameter, and is not held against the account', async () => {
      await expect(speak({ voice: 'a/b?c' })).rejects.toMatchObject({ condition: 'VOICE_NOT_FOUND', param: 'voice' });
      await expect(speak({ model: 'eleven_v99' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'model' });
      expect(reports.map(({ ok }) => ok)).toEqual([true, true]);
    });

    it('of a key is reported, so that the connection expires', async () => {
      connection.secret = 'another';
      await expect(speak()).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
      expect(reports).toMatchObject([{ ok: false, condition: 'ACCOUNT_REAUTH_REQUIRED' }]);
    });

    it.each([
      ['a limit', limitedFor(0.01)],
      ['an overloaded server', limitedFor(0.01, 'system_busy')],
      ['audio that breaks off', breaksOff],
      ['something else than audio', garbage],
      ['no audio', silence],
    ])('that may pass is asked about again: %s', async (_name, answer) => {
      api.next.push(answer);
      expect(samples(await speak())).toBe(AUDIO_BYTES);
      expect(api.spoken).toHaveLength(2);
      expect(reports).toMatchObject([{ ok: true }]);
    });

    it.each<[string, Answer, string]>([
      ['fails', refusing(500, 'internal_server_error'), 'PROVIDER_UNAVAILABLE'],
      ['breaks off', breaksOff, 'PROVIDER_UNAVAILABLE'],
      ['redirects', ({ res }) => void res.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), 'PROVIDER_UNAVAILABLE'],
    ])('by a server that %s each time is one, after three', async (_name, answer, condition) => {
      api.next.push(answer, answer, answer);
      await expect(speak()).rejects.toMatchObject({ condition });
      expect(api.spoken).toHaveLength(3);
      expect(reports).toMatchObject([{ ok: false, condition }]);
    });

    it('of one request too many at once lets the account go on', async () => {
      const full = limitedFor(0.01, 'concurrent_limit_exceeded');
      api.next.push(full, full, full);
      await expect(speak()).rejects.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
      expect(api.spoken).toHaveLength(3);
      api.next.push(refusing(429, 'too_many_concurrent_requests'));
      expect(samples(await speak())).toBe(AUDIO_BYTES);
      expect(reports.map(({ ok }) => ok)).toEqual([true, true]);
    });
  });

  it('is left in the middle of the audio by a client that leaves, and nothing stays open there', async () => {
    const left = new AbortController();
    api.next.push(({ res }) => {
      res.writeHead(200, { 'content-type': 'audio/pcm' });
      res.write(Buffer.alloc(AUDIO_BYTES), () => left.abort());
    });
    await expect(speak({}, left.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await waitFor(() => api.spoken[0]?.isClosed === true);
    expect(reports).toMatchObject([{ ok: false, condition: 'CANCELLED' }]);
  });
});
