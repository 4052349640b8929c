import { describe, expect, it } from '@jest/globals';
import { readAudioConfig } from './config.ts';

const ENV = {
  DATABASE_URL: 'postgres://localhost/parley',
  NATS_URL: 'nats://localhost:4222',
  PARLEY_LISTEN: '127.0.0.1:0',
  PARLEY_CHAT_ROUTING_ADDRESS: 'dns:///chat-routing:50051',
  PARLEY_SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  PARLEY_BLOB_STORE: '/data',
  PATH: '/usr/bin',
};

describe('readAudioConfig', () => {
  it('has a value for everything that can be left out', () => {
    expect(readAudioConfig(ENV)).toMatchObject({
      ...{ workers: 2, workspaceConcurrency: 4, dailyCharacters: 1_000_000, retentionMs: 86_400_000, httpUrl: undefined },
      espeak: { espeak: 'auto', path: '/usr/bin' },
      transcription: { maxBytes: 25 * 1_024 ** 2, pocketsphinx: { location: undefined, models: undefined, path: '/usr/bin' } },
    });
  });

  it('takes what it is given', () => {
    const given = {
      PARLEY_AUDIO_WORKERS: '8',
      PARLEY_AUDIO_RETENTION: '2h',
      PARLEY_ESPEAK: '/opt/espeak-ng',
      PARLEY_AUDIO_HTTP_URL: 'http://audio:8082/',
    };
    expect(readAudioConfig({ ...ENV, ...given })).toMatchObject({
      ...{ workers: 8, retentionMs: 7_200_000, httpUrl: 'http://audio:8082' },
      espeak: { espeak: '/opt/espeak-ng' },
    });
  });

  it.each([
    ['PARLEY_ESPEAK', 'espeak-ng'],
    ['PARLEY_SECRET_KEYS', 'k1:short'],
    ['PARLEY_AUDIO_WORKERS', '0'],
    ['PARLEY_AUDIO_HTTP_LISTEN', '0.0.0.0:8082'],
    ['DATABASE_URL', 'mysql://localhost/parley'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readAudioConfig({ ...ENV, [name]: value })).toThrow(/bad configuration/);
  });
});
