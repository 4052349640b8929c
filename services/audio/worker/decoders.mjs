// Files as samples, piece by piece: what a file says of itself must not decide how much memory it takes.
import { open, readFile } from 'node:fs/promises';
import { readWebm } from './webm.mjs';

/** @typedef {{ channelData: Float32Array[], sampleRate: number }} Samples */
/** @typedef {{ decode: (chunk: Uint8Array) => Samples | Promise<Samples>, flush?: () => Samples | Promise<Samples>, free?: () => void }} Codec */

/** What it is may be known and yet not be read here. */
export class Unsupported extends Error {}

/** A quiet FLAC frame has 14 bytes and decodes to 2 MiB, so those that pack so well are fed in small bites. */
const SMALL_BITE = 1_024;
const BITE = 16_384;
const PACKETS = 64;

/** @type {Record<string, (path: string) => AsyncGenerator<Samples>>} */
export const DECODERS = {
  wav: (path) => decodeWav(path),
  mp3: (path) => streamed(path, BITE, () => import('@audio/decode-mp3')),
  flac: (path) => streamed(path, SMALL_BITE, () => import('@audio/decode-flac')),
  opus: (path) => streamed(path, SMALL_BITE, () => import('@audio/decode-opus')),
  vorbis: (path) => streamed(path, SMALL_BITE, () => import('@audio/decode-vorbis')),
  webm: (path) => decodeWebm(path),
  mp4: (path) => streamed(path, BITE, importMp4),
};

/** The only decoder of AAC is under the GPL: whoever runs this may install it beside it. */
async function importMp4() {
  try {
    return await import('@audio/decode-mp4');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Unsupported('AAC needs the package @audio/decode-mp4, which is not installed');
  }
}

/** @param {string} path @param {number} bite @param {() => Promise<{ decoder: () => Promise<Codec> | Codec }>} load @returns {AsyncGenerator<Samples>} */
async function* streamed(path, bite, load) {
  const codec = await (await load()).decoder();
  try {
    for await (const chunk of bites(path, bite)) yield await codec.decode(chunk);
    if (codec.flush) yield await codec.flush();
  } finally {
    codec.free?.();
  }
}

/** A header whose parts disagree would make the decoder hold a file many times over. @param {string} path */
async function* decodeWav(path) {
  const file = await open(path);
  const head = Buffer.alloc(65_536);
  const { bytesRead } = await file.read(head, 0, head.length, 0).finally(() => file.close());
  const at = head.subarray(0, bytesRead).indexOf('fmt ', 12, 'latin1');
  if (at < 0 || at + 24 > bytesRead) throw new Error('no format');
  const channels = head.readUInt16LE(at + 10);
  const block = head.readUInt16LE(at + 20);
  if (channels < 1 || channels > 32 || block < channels) throw new Error('a format that cannot be');
  yield* streamed(path, BITE, () => import('@audio/decode-wav'));
}

/** @param {string} path */
async function* decodeWebm(path) {
  const { createOpusDecoder } = await import('@audio/decode-opus/core');
  const found = readWebm(await readFile(path));
  if (!found) throw new Unsupported('of WebM only Opus is read');
  const decoder = await createOpusDecoder();
  try {
    const { head, packets } = found;
    // More than stereo needs a mapping that recorders of speech never write.
    const channels = head.length > 9 ? Math.min(2, Math.max(1, head[9])) : 1;
    decoder.configure({ channels, preSkip: head.length > 11 ? head.readUInt16LE(10) : 0 });
    for (let at = 0; at < packets.length; at += PACKETS) yield decoder.decodeFrames(packets.slice(at, at + PACKETS));
  } finally {
    decoder.free();
  }
}

/** @param {string} path @param {number} size */
async function* bites(path, size) {
  const file = await open(path);
  try {
    for (let at = 0; ;) {
      const block = Buffer.alloc(65_536);
      const { bytesRead } = await file.read(block, 0, block.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      // Copies: some decoders keep what they are given.
      for (let from = 0; from < bytesRead; from += size) yield new Uint8Array(block.subarray(from, Math.min(from + size, bytesRead)));
    }
  } finally {
    await file.close();
  }
}
