import { createHash } from 'node:crypto';

/** Samples of 16-bit mono audio. */
export interface PcmSamples {
  readonly rate: number;
  readonly samples: Int16Array;
}

const SAMPLE_BYTES = 2;

/** Reads a WAV file; undefined for anything but 16-bit mono PCM. */
export function readWav(file: Buffer): PcmSamples | undefined {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let rate: number | undefined;
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, at + 8 + size);
    if (name === 'fmt ' && body.length >= 16) {
      const isPlain = body.readUInt16LE(0) === 1 && body.readUInt16LE(2) === 1 && body.readUInt16LE(14) === 8 * SAMPLE_BYTES;
      if (!isPlain) return undefined;
      rate = body.readUInt32LE(4);
    }
    if (name === 'data') return rate === undefined ? undefined : { rate, samples: fromPcmBytes(body) };
    // Chunks begin at even offsets.
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Returns the samples as little-endian bytes. */
export function toPcmBytes({ samples }: PcmSamples): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * SAMPLE_BYTES);
  for (const [index, sample] of samples.entries()) bytes.writeInt16LE(sample, index * SAMPLE_BYTES);
  return bytes;
}

/** Returns the samples of little-endian bytes; ignores half a sample at the end. */
export function fromPcmBytes(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: Math.floor(bytes.length / SAMPLE_BYTES) }, (_, index) => bytes.readInt16LE(index * SAMPLE_BYTES));
}

/** Converts samples to the rate `wanted`, by linear interpolation. */
export function resample({ rate, samples }: PcmSamples, wanted: number): PcmSamples {
  if (rate === wanted) return { rate, samples };
  const length = Math.round((samples.length * wanted) / rate);
  const at = (index: number): number => samples[Math.min(index, samples.length - 1)] ?? 0;
  const made = Int16Array.from({ length }, (_, index) => {
    const place = (index * rate) / wanted;
    const before = Math.floor(place);
    return Math.round(at(before) + (at(before + 1) - at(before)) * (place - before));
  });
  return { rate: wanted, samples: made };
}

/** Returns a hash of the samples, independent of the format of their file. */
export function computeFingerprint(sound: PcmSamples): string {
  return createHash('sha256').update(toPcmBytes(sound)).digest('hex');
}
