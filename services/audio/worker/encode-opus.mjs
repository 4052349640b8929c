// Ogg Opus (libopus): RFC 6716 in the container of RFC 7845.
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny';
import OpusScript from 'opusscript';
import { resampled, toBytes } from './pcm.mjs';

/** Enough for wideband speech of one voice. */
const BITS_PER_SECOND = 32_000;
/** Frames of 20 ms. */
const FRAMES_PER_SECOND = 50;
/** The rates that Opus encodes (RFC 6716, 2.1.3). */
const RATES = [8_000, 12_000, 16_000, 24_000, 48_000];
/** Timestamps of Ogg Opus count in this rate whatever the input has. */
const GRANULE_RATE = 48_000;
/** The delay of libopus at 48 kHz: 2.5 ms of overlap and 4 ms of compensation. */
const PRE_SKIP = 312;

/** @type {import('./encode.mjs').Encoder} */
export async function encode(samples, sampleRate) {
  const rate = RATES.find((one) => one >= sampleRate) ?? GRANULE_RATE;
  const input = resampled(samples, sampleRate, rate);
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: GRANULE_RATE, description: identification(sampleRate) };
  for (const packet of packets(input, rate)) await source.add(packet, { decoderConfig });
  await output.finalize();
  if (!target.buffer) throw new Error('no Opus came');
  return new Uint8Array(target.buffer);
}

/**
 * Encodes the delayed samples too; the duration of the last packet trims the silence that fills its frame.
 * @param {Int16Array} input
 * @param {number} rate
 */
function* packets(input, rate) {
  const encoder = new OpusScript(/** @type {16_000} */ (rate), 1, OpusScript.Application.AUDIO);
  try {
    encoder.setBitrate(BITS_PER_SECOND);
    const frame = rate / FRAMES_PER_SECOND;
    const total = input.length + (PRE_SKIP * rate) / GRANULE_RATE;
    for (let at = 0; at < total; at += frame) {
      const samples = new Int16Array(frame);
      samples.set(input.subarray(at, at + frame));
      const bytes = encoder.encode(Buffer.from(toBytes(samples)), frame);
      yield new EncodedPacket(bytes, 'key', at / rate, Math.min(frame, total - at) / rate);
    }
  } finally {
    encoder.delete();
  }
}

/**
 * The identification header (RFC 7845, 5.1).
 * @param {number} sampleRate
 */
function identification(sampleRate) {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head.writeUInt8(1, 8);
  head.writeUInt8(1, 9);
  head.writeUInt16LE(PRE_SKIP, 10);
  head.writeUInt32LE(sampleRate, 12);
  return head;
}
