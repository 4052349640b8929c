import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encoded, flac, oggOpus, tone, wav, webmOpus } from '../../../test/make-recordings.ts';
import { type RecordingFormat, detectRecordingType } from '../../domain/recording-type.ts';
import { decodeRecording, UnsupportedCodec } from './decode-recording.ts';

const NEVER = new AbortController().signal;
const LIMITS = { maxSeconds: 60, timeMs: 60_000, memoryMb: 384 };

/** The frequency of a pure tone, by its crossings of zero, without the edges. */
function measureHertz(pcm: Buffer): number {
  const samples = Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(index * 2)).slice(1_600, -1_600);
  const crossings = samples.filter((sample, index) => index > 0 && sample >= 0 && (samples[index - 1] ?? 0) < 0).length;
  return (crossings * 16_000) / samples.length;
}

const loudest = (pcm: Buffer): number =>
  Array.from({ length: pcm.length / 2 }, (_, index) => Math.abs(pcm.readInt16LE(index * 2))).reduce((a, b) => Math.max(a, b), 0);

describe('decodeRecording', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-decode-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function decode(bytes: Buffer, limits: Partial<typeof LIMITS> = {}, signal = NEVER, format?: RecordingFormat) {
    const path = join(folder, 'recording');
    const output = join(folder, 'samples.raw');
    await writeFile(path, bytes);
    const type = format ?? detectRecordingType(bytes)?.format ?? 'wav';
    const seconds = await decodeRecording({ path, format: type, output }, { ...LIMITS, ...limits }, signal);
    return { seconds, type, pcm: await readFile(output) };
  }

  it.each<[string, RecordingFormat, () => Buffer | Promise<Buffer>]>([
    ['wav at the rate of the engine', 'wav', () => wav(tone(2))],
    ['wav in stereo at 44.1 kHz', 'wav', () => wav(tone(2, 44_100), 44_100, 2)],
    ['wav of a telephone', 'wav', () => wav(tone(2, 8_000), 8_000)],
    ['mp3', 'mp3', () => encoded('mp3', tone(2, 44_100), 44_100)],
    ['Ogg Vorbis', 'vorbis', () => encoded('vorbis', tone(2, 48_000), 48_000)],
    ['flac', 'flac', () => flac(tone(2))],
  ])('decodes the tone in %s', async (_name, format, make) => {
    const { seconds, type, pcm } = await decode(await make());
    expect(type).toBe(format);
    expect(seconds).toBeGreaterThan(1.9);
    expect(seconds).toBeLessThan(2.2);
    expect(Math.abs(pcm.length / 32_000 - seconds)).toBeLessThan(0.05);
    expect(Math.abs(measureHertz(pcm) - 440)).toBeLessThan(3);
    expect(Math.abs(loudest(pcm) - 8_192)).toBeLessThan(900);
  });

  it.each([
    ['Ogg Opus', 'opus', oggOpus(3)],
    ['WebM with Opus', 'webm', webmOpus(3)],
  ])('knows the length of %s', async (_name, format, bytes) => {
    const { seconds, type, pcm } = await decode(bytes);
    expect(type).toBe(format);
    expect(Math.abs(seconds - 3)).toBeLessThan(0.1);
    expect(Math.abs(pcm.length / 32_000 - 3)).toBeLessThan(0.1);
    expect(loudest(pcm)).toBeLessThan(3);
  });

  it('removes frequencies above the engine’s range', async () => {
    const { pcm } = await decode(wav(tone(1, 48_000, 12_000), 48_000));
    expect(loudest(pcm.subarray(3_200, -3_200))).toBeLessThan(40);
  });

  it.each<[string, RecordingFormat, Buffer]>([
    ['a wav without samples', 'wav', wav(new Float32Array(0))],
    ['a wav that is cut off in its head', 'wav', wav(tone(1)).subarray(0, 30)],
    ['a wav whose parts disagree', 'wav', Object.assign(wav(tone(1)), { 22: 0xff, 23: 0xff })],
    ['noise behind the head of a flac', 'flac', Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5_000, 0x5a)])],
    ['noise behind the head of an mp3', 'mp3', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(5_000, 0x11)])],
    ['a webm that ends before its tracks', 'webm', webmOpus(1).subarray(0, 40)],
    ['an Ogg page without anything behind it', 'opus', oggOpus(1).subarray(0, 60)],
  ])('refuses %s', async (_name, format, bytes) => {
    await expect(decode(bytes, {}, NEVER, format)).rejects.toMatchObject({ condition: 'AUDIO_VALIDATION_FAILED', param: 'file' });
  });

  it('says which codecs are possible where it has none', async () => {
    const failure = await decode(webmOpus(1, 'A_AAC')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnsupportedCodec);
    expect(failure).toMatchObject({ condition: 'AUDIO_VALIDATION_FAILED', message: expect.stringContaining('possible are wav, mp3') });
  });

  it('blames no recording for a disk that takes nothing', async () => {
    const path = join(folder, 'recording');
    await writeFile(path, wav(tone(2)));
    const recording = { path, format: 'wav' as const, output: join(folder, 'is-not-there', 'samples.raw') };
    await expect(decodeRecording(recording, LIMITS, NEVER)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('refuses what is longer than it may be', async () => {
    const message = expect.stringContaining('longer than 1 seconds');
    await expect(decode(wav(tone(2)), { maxSeconds: 1 })).rejects.toMatchObject({ condition: 'AUDIO_VALIDATION_FAILED', message });
  });

  it('ends at the time limit, and when the signal aborts', async () => {
    const long = wav(tone(50));
    await expect(decode(long, { timeMs: 1 })).rejects.toMatchObject({ condition: 'AUDIO_VALIDATION_FAILED' });
    const abort = new AbortController();
    const decoding = decode(long, {}, abort.signal);
    abort.abort(new Error('left'));
    await expect(decoding).rejects.toThrow('left');
  });
});
