import { describe, expect, it } from '@jest/globals';
import { computeFingerprint, fromPcmBytes, readWav, resample, toPcmBytes } from './pcm-samples.ts';

const SOUND = { rate: 16_000, samples: Int16Array.from([0, 100, -32_768, 32_767]) };

/** A WAV file with an unknown chunk before its samples. */
function wavOf({ channels = 1, bits = 16 } = {}): Buffer {
  const head = Buffer.alloc(54);
  head.write('RIFF', 0);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(SOUND.rate, 24);
  head.writeUInt16LE(bits, 34);
  head.write('LIST', 36);
  head.writeUInt32LE(1, 40);
  head.write('data', 46);
  head.writeUInt32LE(8, 50);
  return Buffer.concat([head, toPcmBytes(SOUND)]);
}

describe('samples', () => {
  it('are read from a WAV file, past other chunks', () => expect(readWav(wavOf())).toEqual(SOUND));
  it.each([
    ['two channels', wavOf({ channels: 2 })],
    ['8 bits', wavOf({ bits: 8 })],
    ['another file', Buffer.from('ID3 and then some more')],
    ['a cut one', wavOf().subarray(0, 40)],
    ['nothing', Buffer.alloc(0)],
  ])('are not read from %s', (_name, file) => expect(readWav(file)).toBeUndefined());

  it('are the same after they were bytes', () => {
    expect(fromPcmBytes(toPcmBytes(SOUND))).toEqual(SOUND.samples);
    expect(fromPcmBytes(Buffer.from([1, 0, 2]))).toEqual(Int16Array.from([1]));
  });

  it('get another rate', () => {
    expect(resample({ rate: 2, samples: Int16Array.from([0, 10, 20]) }, 4).samples).toEqual(Int16Array.from([0, 5, 10, 15, 20, 20]));
    expect(resample({ rate: 4, samples: Int16Array.from([0, 5, 10, 15]) }, 2).samples).toEqual(Int16Array.from([0, 10]));
    expect(resample({ rate: 2, samples: new Int16Array(0) }, 4).samples).toHaveLength(0);
  });

  it('are distinguished', () => {
    expect(computeFingerprint(SOUND)).toBe(computeFingerprint({ ...SOUND, rate: 1 }));
    expect(computeFingerprint(SOUND)).not.toBe(computeFingerprint({ ...SOUND, samples: Int16Array.from([0, 100, -32_768, 32_766]) }));
  });
});
