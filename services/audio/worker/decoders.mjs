// Decodes files piece by piece, so that memory does not depend on what a file's headers declare.
import { open, readFile } from 'node:fs/promises';
import { readWebm } from './webm.mjs';

/** @typedef {{ channelData: Float32Array[], sampleRate: number }} Samples */
/** @typedef {{ decode: (chunk: Uint8Array) => Samples | Promise<Samples>, flush?: () => Samples | Promise<Samples>, free?: () => void }} Codec */

/** A known format that cannot be decoded here. */
export class Unsupported extends Error {}

/** A quiet FLAC frame has 14 bytes and decodes to 2 MiB, so formats that compress so well are read in small chunks. */
const SMALL_CHUNK = 1_024;
const CHUNK = 16_384;
const PACKETS = 64;

/** @type {Record<string, (path: string) => AsyncGenerator<Samples>>} */
export const DECODERS = {
  wav: (path) => decodeWav(path),
  mp3: (path) => streamed(path, CHUNK, () => import('@audio/decode-mp3')),
  flac: (path) => streamed(path, SMALL_CHUNK, () => import('@audio/decode-flac')),
  opus: (path) => streamed(path, SMALL_CHUNK, () => import('@audio/decode-opus')),
  vorbis: (path) => streamed(path, SMALL_CHUNK, () => import('@audio/decode-vorbis')),
  webm: (path) => decodeWebm(path),
  mp4: (path) => streamed(path, CHUNK, importMp4),
};

/** The only decoder of AAC is under the GPL, so it is no dependency; an operator may install it. */
const MP4_PACKAGE = '@audio/decode-mp4';

/** @returns {Promise<{ decoder: () => Promise<Codec> | Codec }>} */
async function importMp4() {
  try {
    return /** @type {{ decoder: () => Promise<Codec> | Codec }} */ (await import(MP4_PACKAGE));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new Unsupported('AAC needs the package @audio/decode-mp4, which is not installed');
  }
}

/** @param {string} path @param {number} size @param {() => Promise<{ decoder: () => Promise<Codec> | Codec }>} load @returns {AsyncGenerator<Samples>} */
async function* streamed(path, size, load) {
  const codec = await (await load()).decoder();
  try {
    for await (const chunk of readChunks(path, size)) yield await codec.decode(chunk);
    if (codec.flush) yield await codec.flush();
  } finally {
    codec.free?.();
  }
}

/** Checks the header first: inconsistent values would make the decoder hold the file many times. @param {string} path */
async function* decodeWav(path) {
  const file = await open(path);
  const head = Buffer.alloc(65_536);
  const { bytesRead } = await file.read(head, 0, head.length, 0).finally(() => file.close());
  const at = head.subarray(0, bytesRead).indexOf('fmt ', 12, 'latin1');
  if (at < 0 || at + 24 > bytesRead) throw new Error('no fmt chunk');
  const channels = head.readUInt16LE(at + 10);
  const block = head.readUInt16LE(at + 20);
  if (channels < 1 || channels > 32 || block < channels) throw new Error('impossible format');
  yield* streamed(path, CHUNK, () => import('@audio/decode-wav'));
}

/** @param {string} path */
async function* decodeWebm(path) {
  const { createOpusDecoder } = await import('@audio/decode-opus/core');
  const found = readWebm(await readFile(path));
  if (!found) throw new Unsupported('only Opus is supported in WebM');
  const decoder = await createOpusDecoder();
  try {
    const { head, packets } = found;
    // More than two channels need a channel mapping, which speech recorders do not write.
    const channels = head.length > 9 ? Math.min(2, Math.max(1, head[9])) : 1;
    decoder.configure({ channels, preSkip: head.length > 11 ? head.readUInt16LE(10) : 0 });
    for (let at = 0; at < packets.length; at += PACKETS) yield decoder.decodeFrames(packets.slice(at, at + PACKETS));
  } finally {
    decoder.free();
  }
}

/** @param {string} path @param {number} size */
async function* readChunks(path, size) {
  const file = await open(path);
  try {
    for (let at = 0; ;) {
      const block = Buffer.alloc(65_536);
      const { bytesRead } = await file.read(block, 0, block.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      // Copies, since some decoders keep their input.
      for (let from = 0; from < bytesRead; from += size) yield new Uint8Array(block.subarray(from, Math.min(from + size, bytesRead)));
    }
  } finally {
    await file.close();
  }
}
