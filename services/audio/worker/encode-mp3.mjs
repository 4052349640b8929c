import { readFile } from 'node:fs/promises';
// MP3 at a constant bit rate (LAME).
import { createRequire } from 'node:module';
import { createEncoder } from 'wasm-media-encoders';
import { blocks, toFloats } from './pcm.mjs';

const KBPS = 64;

/** @type {import('./encode.mjs').Encoder} */
export async function encode(samples, sampleRate) {
  const wasm = await readFile(createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3'));
  const encoder = await createEncoder('audio/mpeg', wasm);
  encoder.configure({ channels: 1, sampleRate, bitrate: KBPS });
  // The encoder returns its own buffer, which the next call overwrites.
  const parts = Array.from(blocks(samples), (block) => Uint8Array.from(encoder.encode([toFloats(block)])));
  return Buffer.concat([...parts, Uint8Array.from(encoder.finalize())]);
}
