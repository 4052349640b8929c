import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders';

/** A tone at a quarter of full scale. */
export function tone(seconds: number, sampleRate = 16_000, hertz = 440): Float32Array {
  const samples = Math.round(seconds * sampleRate);
  return Float32Array.from({ length: samples }, (_, index) => 0.25 * Math.sin((2 * Math.PI * hertz * index) / sampleRate));
}

/** WAV of 16 bits; every channel is the same. */
export function wav(samples: Float32Array, sampleRate = 16_000, channels = 1): Buffer {
  const data = Buffer.alloc(samples.length * channels * 2);
  samples.forEach((sample, index) => {
    for (let channel = 0; channel < channels; channel++) data.writeInt16LE(Math.round(sample * 32_767), (index * channels + channel) * 2);
  });
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * channels * 2, 28);
  head.writeUInt16LE(channels * 2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** MP3 and Ogg Vorbis, as encoders in the wild make them. */
export async function encoded(kind: 'mp3' | 'vorbis', samples: Float32Array, sampleRate: 44_100 | 48_000): Promise<Buffer> {
  const encoder = await (kind === 'mp3' ? createMp3Encoder() : createOggEncoder());
  encoder.configure({ sampleRate, channels: 1, ...(kind === 'mp3' ? { bitrate: 64 } : { vbrQuality: 3 }) });
  const body = Buffer.from(encoder.encode([samples]));
  return Buffer.concat([body, encoder.finalize()]);
}

/** FLAC at 16 kHz without compression: frames of samples as they are. */
export function flac(samples: Float32Array): Buffer {
  const BLOCK = 4_096;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(BLOCK, 0);
  info.writeUInt16BE(BLOCK, 2);
  info.writeBigUInt64BE((16_000n << 44n) | (15n << 36n) | BigInt(samples.length), 10);
  const parts: Buffer[] = [];
  for (let at = 0; at < samples.length; at += BLOCK) {
    const block = samples.subarray(at, at + BLOCK);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(block.length - 1);
    const head = Buffer.from([0xff, 0xf8, 0x75, 0x08, parts.length / 2, ...size]);
    const body = Buffer.alloc(1 + block.length * 2, 0x02);
    block.forEach((sample, index) => body.writeInt16BE(Math.round(sample * 32_767), 1 + index * 2));
    const frame = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07)]), body]);
    const check = Buffer.alloc(2);
    check.writeUInt16BE(crc(frame, 16, 0x8005));
    parts.push(frame, check);
  }
  return Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), info, ...parts]);
}

/** 20 ms of digital silence, as Opus encoders send it. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = 1;
  head.writeUInt32LE(48_000, 12);
  return head;
}

/** Ogg Opus of digital silence. */
export function oggOpus(seconds: number): Buffer {
  const packets = seconds * 50;
  const tags = Buffer.from('OpusTags\x01\0\0\0x\0\0\0\0', 'latin1');
  const pages = [oggPage([opusHead()], 0, 0, 2), oggPage([tags], 0, 1, 0)];
  for (let at = 0; at < packets; at += 50) {
    const count = Math.min(50, packets - at);
    const isLast = at + count >= packets;
    const silence = Array.from({ length: count }, () => SILENCE);
    pages.push(oggPage(silence, (at + count) * 960, pages.length, isLast ? 4 : 0));
  }
  return Buffer.concat(pages);
}

function oggPage(packets: readonly Buffer[], granule: number, sequence: number, flags: number): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head[5] = flags;
  head.writeBigUInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(7, 14);
  head.writeUInt32LE(sequence, 18);
  head[26] = packets.length;
  const page = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
  page.writeUInt32LE(crc(page, 32, 0x04c11db7), 22);
  return page;
}

/** WebM as browsers record it: the sizes of the outer parts are left open. */
export function webmOpus(seconds: number, codec = 'A_OPUS'): Buffer {
  const OPEN = Buffer.from('01ffffffffffffff', 'hex');
  const part = (id: string, body: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(0x10000000 + body.length);
    return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
  };
  const track = Buffer.concat([part('d7', Buffer.from([1])), part('86', Buffer.from(codec, 'latin1')), part('63a2', opusHead())]);
  const blocks = Array.from({ length: seconds * 50 }, () => part('a3', Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), SILENCE])));
  return Buffer.concat([
    part('1a45dfa3', part('4282', Buffer.from('webm', 'latin1'))),
    ...[Buffer.from('18538067', 'hex'), OPEN, part('1654ae6b', part('ae', track))],
    ...[Buffer.from('1f43b675', 'hex'), OPEN, part('e7', Buffer.from([0])), ...blocks],
  ]);
}

/** A checksum that begins with 0 and shifts to the left, as FLAC and Ogg have them. */
function crc(bytes: Buffer, bits: 8 | 16 | 32, polynomial: number): number {
  const mask = 2 ** bits - 1;
  let value = 0;
  for (const byte of bytes) {
    value = (value ^ (byte << (bits - 8))) >>> 0;
    for (let bit = 0; bit < 8; bit++) {
      const carries = Math.floor(value / 2 ** (bits - 1)) & 1;
      value = ((value << 1) & mask) >>> 0;
      if (carries) value = (value ^ polynomial) >>> 0;
    }
  }
  return value;
}
