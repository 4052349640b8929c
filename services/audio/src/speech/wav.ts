import { GatewayError } from '@parley/protos/errors';
import { type PcmAudio } from '../domain/pcm-audio.ts';

const HEADER = 44;

/** Returns the header of a WAV file with `dataBytes` bytes of mono 16-bit PCM. */
export function wavHeader(dataBytes: number, sampleRate: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes + HEADER - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/**
 * Reads the samples of a 16-bit WAV file; of several channels only the first. A data size beyond the end of the file, as streaming servers
 * send it, means "to the end".
 * @throws PROVIDER_BAD_ANSWER
 */
export function readWav(bytes: Buffer): PcmAudio {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') throw notWav();
  let format: { channels: number; sampleRate: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const start = at + 8;
    if (name === 'fmt ' && start + 16 <= bytes.length) format = readFormat(bytes, start);
    if (name === 'data' && format) {
      const { channels, sampleRate } = format;
      return { pcm: [firstChannel(bytes.subarray(start, Math.min(bytes.length, start + size)), channels)], sampleRate };
    }
    at = start + size + (size % 2);
  }
  throw notWav();
}

function readFormat(bytes: Buffer, at: number) {
  const [channels, sampleRate, bits] = [bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4), bytes.readUInt16LE(at + 14)];
  const isPcm = bytes.readUInt16LE(at) === 1 && bits === 16;
  if (!isPcm || channels < 1 || channels > 8 || sampleRate < 4_000 || sampleRate > 192_000) throw notWav();
  return { channels, sampleRate };
}

function firstChannel(data: Buffer, channels: number): Buffer {
  const frames = Math.floor(data.length / (2 * channels));
  if (channels === 1) return data.subarray(0, frames * 2);
  const mono = Buffer.alloc(frames * 2);
  for (let i = 0; i < frames; i++) mono.writeInt16LE(data.readInt16LE(i * 2 * channels), i * 2);
  return mono;
}

function notWav(): GatewayError {
  return new GatewayError('PROVIDER_BAD_ANSWER', 'the speech server sent something that is not 16-bit WAV');
}
