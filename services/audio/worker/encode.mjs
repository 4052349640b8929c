// Mono 16-bit PCM in other shapes: MP3, or at another rate.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { createEncoder } from 'wasm-media-encoders';
import { resample } from './resample.mjs';

/** Samples that go through the encoder at once. */
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
  return Buffer.from(resample(samples, from, to).buffer);
}

/**
 * @param {Int16Array} samples
 * @param {number} sampleRate
 */
async function mp3(samples, sampleRate) {
  const wasm = await readFile(createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3'));
  const encoder = await createEncoder('audio/mpeg', wasm);
  encoder.configure({ channels: 1, sampleRate, bitrate: KBPS });
  const parts = [];
  for (let at = 0; at < samples.length; at += BLOCK) {
    const block = Float32Array.from(samples.subarray(at, at + BLOCK), (sample) => sample / 32_768);
    // What it gives is its own memory, used again by the next call.
    parts.push(Uint8Array.from(encoder.encode([block])));
  }
  parts.push(Uint8Array.from(encoder.finalize()));
  return Buffer.concat(parts);
}
