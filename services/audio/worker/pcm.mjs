// Mono 16-bit PCM as the encoders take it.
import { Resampler } from './resampler.mjs';

/** Samples per block. */
const BLOCK = 65_536;

/** @param {Int16Array} samples */
export function* blocks(samples) {
  for (let at = 0; at < samples.length; at += BLOCK) yield samples.subarray(at, at + BLOCK);
}

/** @param {Int16Array} samples */
export function toFloats(samples) {
  return Float32Array.from(samples, (sample) => sample / 32_768);
}

/**
 * The samples at another rate.
 * @param {Int16Array} samples
 * @param {number} from
 * @param {number} to
 */
export function resampled(samples, from, to) {
  if (from === to) return samples;
  const resampler = new Resampler(from, to);
  const parts = Array.from(blocks(samples), (block) => Int16Array.from(resampler.push([toFloats(block)]), to16Bits));
  parts.push(Int16Array.from(resampler.end(), to16Bits));
  const joined = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** @param {number} sample */
function to16Bits(sample) {
  return Math.round(Math.max(-1, Math.min(32_767 / 32_768, sample)) * 32_768);
}

/** @param {Int16Array} samples */
export function toBytes(samples) {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
