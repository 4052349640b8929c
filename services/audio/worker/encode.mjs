// Converts mono 16-bit PCM to MP3 or to another sample rate.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { createEncoder } from 'wasm-media-encoders';
import { Resampler } from './resampler.mjs';

/** Samples per block. */
const BLOCK = 65_536;
const KBPS = 64;

/** @param {{ pcm: Uint8Array, sampleRate: number, format: 'mp3' | 'pcm', rate: number }} task */
export async function run({ pcm, sampleRate, format, rate }) {
  const samples = new Int16Array(new Uint8Array(pcm).buffer, 0, pcm.length >> 1);
  return { bytes: format === 'mp3' ? await mp3(samples, sampleRate) : pcmAt(samples, sampleRate, rate) };
}

/**
 * @param {Int16Array} samples
 * @param {number} from
 * @param {number} to
 */
function pcmAt(samples, from, to) {
  const resampler = new Resampler(from, to);
  const parts = Array.from(blocks(samples), (block) => resampler.push([block]));
  return Buffer.concat([...parts, resampler.end()].map((part) => Buffer.from(Int16Array.from(part, to16Bits).buffer)));
}

/** @param {number} sample */
function to16Bits(sample) {
  return Math.round(Math.max(-1, Math.min(32_767 / 32_768, sample)) * 32_768);
}

/** @param {Int16Array} samples */
function* blocks(samples) {
  for (let at = 0; at < samples.length; at += BLOCK) {
    yield Float32Array.from(samples.subarray(at, at + BLOCK), (sample) => sample / 32_768);
  }
}

/**
 * @param {Int16Array} samples
 * @param {number} sampleRate
 */
async function mp3(samples, sampleRate) {
  const wasm = await readFile(createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3'));
  const encoder = await createEncoder('audio/mpeg', wasm);
  encoder.configure({ channels: 1, sampleRate, bitrate: KBPS });
  // The encoder returns its own buffer, which the next call overwrites.
  const parts = Array.from(blocks(samples), (block) => Uint8Array.from(encoder.encode([block])));
  return Buffer.concat([...parts, Uint8Array.from(encoder.finalize())]);
}
