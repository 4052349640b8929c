import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { AUDIO_BYTES, ElevenLabsApi, refusing } from './elevenlabs-api.ts';
import { type TestFixture, type Running, newCaller, openFixture, reaches, request } from './fixture.ts';

const SARAH = 'EXAVITQu4vr4xnSDxMaL';

describe('a workspace with an ElevenLabs account', () => {
  const api = new ElevenLabsApi();
  let fixture: TestFixture;
  let service: Running;
  let caller: Caller;
  beforeAll(async () => {
    await api.listen();
    fixture = await openFixture();
    service = await fixture.start();
  });
  afterAll(async () => {
    await fixture.close();
    api.close();
  });
  beforeEach(() => {
    caller = newCaller();
    fixture.upstream.elevenLabs.set(caller.workspaceId, api.url);
    for (const list of [api.received, api.next, fixture.upstream.reports]) list.length = 0;
  });

  const listed = async () => (await service.stub.listProviders({}, { caller })).providers;
  const shown = async () => (await listed()).map(({ name, available, isDefault, voices }) => [name, available, isDefault, voices]);
  async function speak(voice: string, responseFormat = '') {
    const asked = { input: 'Good morning.', voice, model: 'tts-1', responseFormat, provider: '', speed: undefined };
    const chunks: Uint8Array[] = [];
    for await (const { frame } of service.stub.speak(asked, { caller, deadlineMs: 60_000 })) {
      if (frame?.$case === 'chunk') chunks.push(frame.value);
    }
    return Buffer.concat(chunks);
  }

  it('has it as its provider of speech, with the voices of the account; others do not', async () => {
    await expect(shown()).resolves.toEqual([
      ['openai-speech', false, false, 13],
      ['elevenlabs', true, true, 4],
      ['flite', true, false, 5],
    ]);
    const { voices } = await service.stub.listVoices({ provider: 'elevenlabs', dialect: 'en', gender: 'female' }, { caller });
    expect(voices).toMatchObject([{ id: SARAH, name: 'Sarah', provider: 'elevenlabs', dialect: 'en-US' }]);
    caller = newCaller();
    await expect(shown()).resolves.toContainEqual(['elevenlabs', false, false, 0]);
    expect(await listed()).toContainEqual(expect.objectContaining({ name: 'elevenlabs', reason: 'no_connected_account' }));
    const others = service.stub.listVoices({ provider: 'elevenlabs', dialect: '', gender: '' }, { caller });
    await expect(others).rejects.toMatchObject({ condition: 'ACCOUNT_NOT_CONNECTED' });
  });

  it('is shown its providers while the account does not answer', async () => {
    api.next.push(() => undefined);
    await expect(shown()).resolves.toEqual([
      ['openai-speech', false, false, 13],
      ['elevenlabs', true, true, 0],
      ['flite', true, false, 5],
    ]);
    await waitFor(() => api.received[0]?.isClosed === true);
  });

  it('uses the one of two providers whose connection is its default', async () => {
    fixture.upstream.baseUrls.set(caller.workspaceId, 'http://127.0.0.1:1/v1');
    const first = async () => (await listed()).map(({ name, isDefault }) => [name, isDefault])[0];
    await expect(first()).resolves.toEqual(['openai-speech', true]);
    fixture.upstream.defaults.set(caller.workspaceId, 'elevenlabs');
    await expect(first()).resolves.toEqual(['elevenlabs', true]);
    await speak('nova');
    expect(api.spoken.map(({ url }) => url.pathname)).toEqual([`/v1/text-to-speech/${SARAH}/stream`]);
  });

  it('gets WAV and PCM as they come, and MP3 made of them', async () => {
    const wav = await speak('nova');
    expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24), wav.length]).toEqual(['RIFF', 24_000, 44 + AUDIO_BYTES]);
    await expect(speak('nova', 'pcm')).resolves.toEqual(wav.subarray(44));
    const mp3 = await speak('nova', 'mp3');
    expect([mp3[0], (mp3[1] ?? 0) & 0xe0]).toEqual([0xff, 0xe0]);
  });

  it('has jobs spoken by the voice, in the language and with the options that they name', async () => {
    const asked = { model: 'eleven_flash_v2_5', language: 'en-GB', providerOptions: '{"stability":0.4}', responseFormat: 'opus' };
    const { id } = await service.stub.createJob(request({ voice: SARAH.toLowerCase(), ...asked }), { caller });
    const done = await reaches(service, caller, id, 'completed');
    expect(done).toMatchObject({ provider: 'elevenlabs', voice: SARAH, outputMimeType: 'audio/ogg', durationMs: 100 });
    expect(api.spoken).toMatchObject([
      { body: { model_id: 'eleven_flash_v2_5', language_code: 'en', voice_settings: { stability: 0.4 }, text: 'Hello world.' } },
    ]);
  });

  it('learns why it cannot be used, and keeps the voices of others by their ids', async () => {
    const badKey = refusing(401, 'invalid_api_key');
    api.next.push(badKey, badKey);
    await expect(speak('alloy')).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    expect((await speak('kal')).readUInt32LE(24)).toBe(8_000);
    expect(api.spoken).toEqual([]);
    expect(fixture.upstream.reports).toMatchObject([
      { ok: false, condition: 'ACCOUNT_REAUTH_REQUIRED' },
      { ok: false, condition: 'ACCOUNT_REAUTH_REQUIRED' },
    ]);
    api.next.push(badKey);
    await expect(speak('unknown')).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    await expect(speak('unknown')).rejects.toMatchObject({ condition: 'VOICE_NOT_FOUND' });
  });
});
