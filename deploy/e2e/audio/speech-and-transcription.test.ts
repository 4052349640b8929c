import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFile } from 'openai';
import { makeSpeaker, readWav, transcribes } from '../harness/audio.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call, open } from '../harness/http.ts';
import { openaiClient } from '../harness/openai.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type Uploader } from '../harness/upload.ts';

const SPEECH = '/v1/audio/speech';
const PARAGRAPH =
  'The old man walked down to the river every morning. He looked at the water and listened to the birds. ' +
  'When the sun was high he went home again and made a cup of tea.';

describe('speech at once, and what is heard of it', () => {
  inBothTopologies((gateway) => {
    let me: Uploader;
    beforeEach(async () => {
      ({ me } = await makeSpeaker(gateway));
    });
    const speak = async (input: string, fields: Record<string, unknown> = {}) => {
      const body = { model: 'tts-1', input, voice: 'alloy', response_format: 'wav', ...fields };
      const response = await open(gateway(), 'POST', SPEECH, { key: me.key, body });
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    };

    it('answers a voice of OpenAI’s with audio, and a faster one with less of it', async () => {
      const { status, headers, bytes } = await speak(PARAGRAPH);
      expect([status, headers.get('content-type')]).toEqual([200, 'audio/wav']);
      const { seconds } = readWav(bytes);
      expect(seconds).toBeGreaterThan(3);
      expect(readWav((await speak(PARAGRAPH, { speed: 2 })).bytes).seconds).toBeLessThan(0.8 * seconds);
    });

    it('refuses what is too long, points to jobs, and refuses a voice that there is not', async () => {
      const long = await call(gateway(), 'POST', SPEECH, { key: me.key, body: { input: 'x'.repeat(4_097), voice: 'slt' } });
      expectRefusal(long, { status: 422, code: 'VALIDATION_ERROR', param: 'input' });
      expect(long.text).toContain('/v1/audio/generations');
      const body = { input: 'hello', voice: 'unknown-voice' };
      expectRefusal(await call(gateway(), 'POST', SPEECH, { key: me.key, body }), { status: 422, code: 'VOICE_NOT_FOUND' });
    });

    it('answers about transcription as the manifest says: where there is no engine, it is disabled', async () => {
      const { client } = openaiClient(gateway(), { apiKey: me.key });
      const file = await toFile((await speak(PARAGRAPH)).bytes, 'speech.wav', { type: 'audio/wav' });
      const hear = () => client.audio.transcriptions.create({ file, model: 'whisper-1' });
      // An engine on PATH is found whatever the configuration says.
      if (await transcribes(me)) expect((await hear()).text).toMatch(/./);
      else await expect(hear()).rejects.toMatchObject({ status: 503, code: 'transcription_disabled' });
    });
  });
});
