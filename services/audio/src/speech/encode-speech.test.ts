import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectRecordingType } from '../domain/recording-type.ts';
import { EnginePool } from '../engines/engine-pool.ts';
import { decodeRecording } from '../transcription/decoding/decode-recording.ts';
import { encodeSpeech } from './encode-speech.ts';
import { type SpeechFormat } from './formats.ts';

const NEVER = new AbortController().signal;
const LIMITS = { maxSeconds: 60, timeMs: 60_000, memoryMb: 384 };
/** What `decodeRecording` writes. */
const DECODED_RATE = 16_000;
/** The middle of the tone. */
const TONE = { from: 0.6, to: 0.9 };

/** Half a second of silence, then half a second of a tone, and a length that fills no last frame. */
function burst(sampleRate: number): Buffer {
  const samples = Int16Array.from({ length: Math.round(sampleRate * 1.007) }, (_, at) => {
    const seconds = at / sampleRate;
    return seconds < 0.5 || seconds >= 1 ? 0 : 8_000 * Math.sin(2 * Math.PI * 440 * seconds);
  });
  return Buffer.from(samples.buffer);
}

function loudness(samples: Int16Array, from: number, to: number): number {
  const part = samples.subarray(Math.round(from * DECODED_RATE), Math.round(to * DECODED_RATE));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length);
}

describe('encodeSpeech', () => {
  const engines = new EnginePool(1);
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-encode-'));
  });
  afterAll(async () => {
    engines.close();
    await rm(folder, { recursive: true, force: true });
  });

  const encode = async (format: SpeechFormat, sampleRate: number, signal = NEVER) => {
    const { chunks, ...about } = await encodeSpeech(engines, { pcm: [burst(sampleRate)], sampleRate }, format, signal);
    return { ...about, bytes: Buffer.concat(chunks) };
  };
  /** Decodes it with the decoders of transcription, which have nothing in common with the encoders. */
  const decoded = async (bytes: Buffer) => {
    const type = detectRecordingType(bytes);
    if (!type) throw new Error('the format is not recognised');
    const own = await mkdtemp(join(folder, 'decoded-'));
    const [path, output] = [join(own, 'encoded'), join(own, 'samples.raw')];
    await writeFile(path, bytes);
    const seconds = await decodeRecording({ path, format: type.format, output }, LIMITS, NEVER);
    return { format: type.format, seconds, samples: new Int16Array(new Uint8Array(await readFile(output)).buffer) };
  };

  it.each([
    ['mp3', 16_000, 'audio/mpeg'],
    ['opus', 8_000, 'audio/ogg'],
    ['opus', 16_000, 'audio/ogg'],
    // Opus has no such rate: the samples are converted.
    ['opus', 22_050, 'audio/ogg'],
    ['flac', 16_000, 'audio/flac'],
    ['flac', 22_050, 'audio/flac'],
  ] as const)('gives %s of samples at %i Hz that a decoder reads', async (format, sampleRate, mimeType) => {
    const { bytes, ...about } = await encode(format, sampleRate);
    expect(about).toEqual({ mimeType, sizeBytes: bytes.length, durationMs: 1_007 });
    const { samples, ...read } = await decoded(bytes);
    expect(read.format).toBe(format);
    // MP3 does not record the padding of its frames.
    expect(read.seconds).toBeCloseTo(1.007, format === 'mp3' ? 0 : 2);
    expect(Math.abs(loudness(samples, TONE.from, TONE.to) / (8_000 / Math.SQRT2) - 1)).toBeLessThan(0.1);
    if (format === 'mp3') return;
    // Nothing is shifted: the silence keeps its level and its length.
    expect(loudness(samples, 0, 0.49)).toBeLessThan(50);
    expect(loudness(samples, 0.5, 0.52)).toBeGreaterThan(3_000);
  });

  it('loses nothing in FLAC', async () => {
    const { bytes } = await encode('flac', DECODED_RATE);
    const given = burst(DECODED_RATE);
    const { samples } = await decoded(bytes);
    expect(samples).toEqual(new Int16Array(new Uint8Array(given).buffer));
    expect(bytes.length).toBeLessThan(given.length / 2);
  });

  it('ends with the signal', async () => {
    await expect(encode('opus', DECODED_RATE, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  });
});
