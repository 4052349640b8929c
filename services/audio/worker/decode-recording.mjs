// Decodes one recording in a worker thread. Plain JavaScript: sources and dist start the same file.
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { DECODERS, Unsupported } from './decoders.mjs';
import { Resampler } from './resampler.mjs';

/** The engine's input: 16 kHz, mono, 16 bits. */
const RATE = 16_000;

/** Decoders find a frame in any noise; shorter audio holds no speech. */
const MIN_SECONDS = 0.1;

class TooLong extends Error {}

/** The samples could not be written, for example because the disk is full; the recording itself may be fine. */
class DiskFull extends Error {}

/**
 * @template T
 * @param {Promise<T>} writing
 */
function stored(writing) {
  return writing.catch((cause) => Promise.reject(new DiskFull('the samples could not be written', { cause })));
}

/** @param {{ path: string, format: string, output: string | undefined, maxSeconds: number }} recording */
async function decode({ path, format, output, maxSeconds }) {
  const file = output === undefined ? undefined : await stored(open(output, 'wx', 0o600));
  let seconds = 0;
  /** @type {Resampler | undefined} */
  let resampler;
  let rate = 0;
  try {
    for await (const { channelData, sampleRate } of DECODERS[format](path)) {
      const length = channelData[0]?.length ?? 0;
      if (length === 0) continue;
      if (!(sampleRate >= 1_000 && sampleRate <= 768_000)) throw new Error('impossible sample rate');
      seconds += length / sampleRate;
      if (seconds > maxSeconds) throw new TooLong();
      if (sampleRate !== rate) {
        if (file) await stored(file.writeFile(toPcm(resampler?.end())));
        resampler = new Resampler(sampleRate, RATE);
        rate = sampleRate;
      }
      if (file) await stored(file.writeFile(toPcm(resampler?.push(channelData))));
    }
    if (file) await stored(file.writeFile(toPcm(resampler?.end())));
  } finally {
    await file?.close();
  }
  if (seconds < MIN_SECONDS) throw new Error('too short');
  return { seconds };
}

/** @param {Float32Array | undefined} samples */
function toPcm(samples) {
  const pcm = Buffer.alloc((samples?.length ?? 0) * 2);
  samples?.forEach((sample, index) => pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), index * 2));
  return pcm;
}

/** @param {unknown} error */
function toReason(error) {
  if (error instanceof TooLong) return 'too-long';
  if (error instanceof DiskFull) return 'no-room';
  return error instanceof Unsupported ? 'unsupported' : 'damaged';
}

// Third-party decoders may leave rejected promises unhandled; the file they belonged to has been answered.
process.on('unhandledRejection', () => undefined);

parentPort?.postMessage(
  await decode(/** @type {Parameters<typeof decode>[0]} */ (workerData)).catch((error) => ({ reason: toReason(error) })),
);
