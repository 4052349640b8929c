import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { connection } from './fake-routing.ts';
import { form } from './forms.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';
import { createKey } from './operator.ts';

const ID = '01900000-0000-7000-8000-00000000dead';
const JOBS = '/v1/audio/generations';
const SAY = { input: 'hello', voice: 'slt' };
const OPERATIONS = [
  ['POST', '/v1/audio/transcriptions'],
  ['POST', JOBS],
  ['GET', JOBS],
  ['GET', `${JOBS}/${ID}`],
  ['GET', `${JOBS}/${ID}/content`],
  ['POST', `${JOBS}/${ID}/cancel`],
  ['POST', `${JOBS}/${ID}/retry`],
  ['POST', '/v1/audio/speech'],
  ['GET', '/v1/audio/providers'],
  ['GET', '/v1/audio/providers/flite/voices'],
  ['GET', '/v1/audio/providers/flite/capabilities'],
] as const;
const POLICY = { points: 1, seconds: 60, text: '1 per 1 minute' };
const OPEN = { points: 1_000, seconds: 60, text: '1000 per 1 minute' };

interface Audio {
  capabilities: {
    audio: Record<'transcription' | 'speech_generation', Record<string, unknown>>;
    chat: { enabled: boolean; reason?: string };
  };
  providers: Record<string, unknown>;
}

const ask = <T = ErrorBody>({ edge }: TestFixture, method: string, path: string, key = API_KEY) => {
  const body = path.endsWith('transcriptions') ? form('RIFF', 'a.wav') : SAY;
  return call<T>(edge.url + path, { method, key, ...(method === 'POST' && { body }) });
};

describe('admission to audio operations', () => {
  it('are closed to keys without the scope, and to the operator, who has no workspace', async () => {
    await using fixture = await startFixture();
    const { key } = await createKey(fixture);
    for (const [method, path] of OPERATIONS) {
      const refused = await ask(fixture, method, path, key);
      expect([refused.status, refused.body.error]).toMatchObject([403, { code: 'MISSING_SCOPE', param: 'audio' }]);
      const operator = await ask(fixture, method, path, OPERATOR_KEY);
      expect([operator.status, operator.body.error.code]).toEqual([403, 'TENANT_ACCESS_DENIED']);
    }
    expect(fixture.services.audio.calls).toEqual([]);
  });

  it('count what makes an engine speak by tts_rate_limit, and never a cancel', async () => {
    await using fixture = await startFixture({ throttle: { rate_limit: OPEN, upload_rate_limit: OPEN, tts_rate_limit: POLICY } });
    expect((await ask(fixture, 'POST', JOBS)).status).toBe(202);
    for (const path of [JOBS, `${JOBS}/${ID}/retry`, '/v1/audio/speech']) {
      const { status, body } = await ask<{ error: string }>(fixture, 'POST', path);
      expect([status, body.error]).toEqual([429, 'Rate limit exceeded: 1 per 1 minute']);
    }
    for (let n = 0; n < 3; n++) expect((await ask(fixture, 'POST', `${JOBS}/${ID}/cancel`)).status).toBe(404);
    expect((await ask(fixture, 'POST', '/v1/audio/transcriptions')).status).toBe(200);
  });

  it('count transcriptions with everything else, and refuse them in the envelope', async () => {
    await using fixture = await startFixture({ throttle: { rate_limit: POLICY, upload_rate_limit: OPEN, tts_rate_limit: OPEN } });
    expect((await ask(fixture, 'POST', '/v1/audio/transcriptions')).status).toBe(200);
    const { status, body, headers } = await ask(fixture, 'POST', '/v1/audio/transcriptions');
    expect([status, body.error]).toMatchObject([429, { code: 'transcription_rate_limit', type: 'rate_limit_error', retryable: true }]);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['1', '0']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(fixture.services.audio.heard).toHaveLength(1);
  });
});

describe('audio in the manifest', () => {
  it('follows what the audio service can do', async () => {
    await using fixture = await startFixture();
    const manifest = async () => (await call<Audio>(`${fixture.edge.url}/v1/capabilities`, { key: API_KEY })).body;
    const first = await manifest();
    expect(first.capabilities.audio).toEqual({
      transcription: { enabled: true, supported: true, endpoint: '/v1/audio/transcriptions', provider: 'pocketsphinx' },
      speech_generation: { enabled: true, supported: true, endpoint: JOBS, provider: 'flite' },
    });
    expect(first.providers).toMatchObject({ flite: { connected: true, supports: ['speech'] } });
    fixture.services.audio.abilities = {
      speech: false,
      speechProvider: '',
      transcription: false,
      transcriptionProvider: '',
      transcriptionReason: 'account_disabled',
    };
    expect((await manifest()).capabilities.audio).toEqual({
      transcription: { enabled: false, supported: true, endpoint: '/v1/audio/transcriptions', provider: null, reason: 'account_disabled' },
      speech_generation: { enabled: false, supported: true, endpoint: JOBS, provider: null, reason: 'no_connected_account' },
    });
  });

  it.each(['away', 'silent'])('is off, and the rest is answered, while the audio service is %s', async (how) => {
    await using fixture = await startFixture();
    const { audio } = fixture.services;
    if (how === 'silent') audio.isSilent = true;
    else audio.failure = new GatewayError('SERVICE_UNAVAILABLE', 'away');
    const { status, body } = await call<Audio>(`${fixture.edge.url}/v1/capabilities`, { key: API_KEY });
    expect(status).toBe(200);
    const off = { enabled: false, supported: true, provider: null };
    expect(body.capabilities).toMatchObject({ audio: { transcription: off, speech_generation: off }, chat: { enabled: true } });
  });

  it('takes an account that only speaks for none to chat with', async () => {
    await using fixture = await startFixture();
    fixture.services.routing.connections = [connection({ provider: 'openai-speech', supports: ['speech'] })];
    const { body } = await call<Audio>(`${fixture.edge.url}/v1/capabilities`, { key: API_KEY });
    expect(body.capabilities.chat).toMatchObject({ enabled: false, reason: 'no_connected_account' });
  });
});
