import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { receiveRecording } from './receive-recording.ts';

const NEVER = new AbortController().signal;
const WAV = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(984)]);

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('receiveRecording', () => {
  let folder = '';
  const received = { sizeBytes: 0, mimeType: '' };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-receive-'));
    Object.assign(received, { sizeBytes: 0, mimeType: '' });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const receive = (bytes: Buffer, { size = 7, max = 1_000, signal = NEVER } = {}) =>
    receiveRecording(folder, inChunks(bytes, size), max, received, signal);

  it('keeps the bytes as they came, for this account alone, and says what they are', async () => {
    const { path, sizeBytes, type } = await receive(WAV);
    expect({ sizeBytes, ...type }).toMatchObject({ sizeBytes: 1_000, format: 'wav', mimeType: 'audio/wav' });
    expect(await readFile(path)).toEqual(WAV);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(received).toEqual({ sizeBytes: 1_000, mimeType: 'audio/wav' });
  });

  it('refuses what is too large as soon as it is', async () => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        asked++;
        yield Buffer.alloc(400);
      }
    }
    const receiving = receiveRecording(folder, endless(), 1_000, received, NEVER);
    await expect(receiving).rejects.toMatchObject({ condition: 'FILE_TOO_LARGE', param: 'file' });
    expect(asked).toBe(3);
  });

  it.each([
    ['an empty file', Buffer.alloc(0), 'VALIDATION_ERROR'],
    ['text', Buffer.from('Dear diary, this is no recording.'), 'AUDIO_VALIDATION_FAILED'],
  ])('refuses %s', async (_name, bytes, condition) => {
    await expect(receive(bytes)).rejects.toMatchObject({ condition, param: 'file' });
  });

  it('ends when the signal aborts', async () => {
    await expect(receive(WAV, { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
  });
});
