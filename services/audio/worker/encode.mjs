// Encodes mono 16-bit PCM, or converts it to another sample rate.
import { resampled, toBytes } from './pcm.mjs';

/** @typedef {(samples: Int16Array, sampleRate: number) => Promise<Uint8Array>} Encoder */

/** @type {Record<string, () => Promise<{ encode: Encoder }>>} */
const ENCODERS = {
  mp3: () => import('./encode-mp3.mjs'),
  opus: () => import('./encode-opus.mjs'),
  flac: () => import('./encode-flac.mjs'),
};

/** @param {{ pcm: Uint8Array, sampleRate: number, format: 'mp3' | 'opus' | 'flac' | 'pcm', rate: number }} task `rate` is that of PCM */
export async function run({ pcm, sampleRate, format, rate }) {
  const samples = new Int16Array(new Uint8Array(pcm).buffer, 0, pcm.length >> 1);
  if (format === 'pcm') return { bytes: toBytes(resampled(samples, sampleRate, rate)) };
  const { encode } = await ENCODERS[format]();
  return { bytes: await encode(samples, sampleRate) };
}
