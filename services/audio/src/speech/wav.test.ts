import { describe, expect, it } from '@jest/globals';
import { readWav, wavHeader } from './wav.ts';

const samples = (...values: number[]) => Buffer.from(new Int16Array(values).buffer);
const wav = (pcm: Buffer, rate = 16_000) => Buffer.concat([wavHeader(pcm.length, rate), pcm]);

describe('wav', () => {
  it('is read as it was written', () => {
    const pcm = samples(1, -2, 300, -32_768);
    const { pcm: pieces, sampleRate } = readWav(wav(pcm, 22_050));
    expect(sampleRate).toBe(22_050);
    expect(Buffer.concat([...pieces])).toEqual(pcm);
  });

  it('gives the first of several channels', () => {
    const bytes = wav(samples(1, 100, 2, 200, 3, 300));
    bytes.writeUInt16LE(2, 22);
    expect(Buffer.concat([...readWav(bytes).pcm])).toEqual(samples(1, 2, 3));
  });

  it('skips chunks that it does not know, an odd one with its padding', () => {
    const [head, pcm] = [wavHeader(4, 16_000), samples(7, 8)];
    const extra = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')]);
    const bytes = Buffer.concat([head.subarray(0, 36), extra, head.subarray(36), pcm]);
    expect(Buffer.concat([...readWav(bytes).pcm])).toEqual(pcm);
  });

  it('takes a size that a stream could not know as: to the end', () => {
    const bytes = wav(samples(1, 2, 3));
    bytes.writeUInt32LE(0xffffffff, 40);
    expect(Buffer.concat([...readWav(bytes).pcm])).toEqual(samples(1, 2, 3));
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['a text', () => Buffer.alloc(100, 'x')],
    ['a file without data', (bytes) => bytes.subarray(0, 43)],
    ['8 bits', (bytes) => (bytes.writeUInt16LE(8, 34), bytes)],
    ['floating point', (bytes) => (bytes.writeUInt16LE(3, 20), bytes)],
    ['no channel', (bytes) => (bytes.writeUInt16LE(0, 22), bytes)],
    ['a rate of 1 Hz', (bytes) => (bytes.writeUInt32LE(1, 24), bytes)],
  ])('refuses %s', (_name, spoil) => {
    expect(() => readWav(spoil(wav(samples(1, 2))))).toThrow(expect.objectContaining({ condition: 'PROVIDER_BAD_ANSWER' }));
  });
});
