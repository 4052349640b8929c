import { GatewayError } from '@parley/protos/errors';
import { Worker } from 'node:worker_threads';
import { type RecordingFormat } from '../../domain/recording-type.ts';

const WORKER = new URL('../../../worker/decode-recording.mjs', import.meta.url);

/** How often the size of the process is checked while a file is decoded, in milliseconds. */
const WATCH_MS = 50;

/** Limits of decoding one recording. */
export interface DecodingLimits {
  /** Maximum duration; longer recordings are rejected. */
  maxSeconds: number;
  timeMs: number;
  /** How much the process may grow while decoding, in MiB. */
  memoryMb: number;
}

/** A recording to be decoded. */
export interface EncodedRecording {
  path: string;
  format: RecordingFormat;
  /** Path to which samples are written (16 kHz, mono, 16 bits); undefined to only measure the duration. */
  output: string | undefined;
}

/** The recording may be valid, but there is no decoder for its codec. */
export class UnsupportedCodec extends GatewayError {}

type Reason = 'damaged' | 'too-long' | 'unsupported' | 'no-room';

/**
 * Decodes a recording in a worker thread and resolves with its duration in seconds: no content of a file can block, fill or crash the
 * process.
 * @throws AUDIO_VALIDATION_FAILED for damaged, too long and too costly recordings, UnsupportedCodec; SERVICE_UNAVAILABLE when the disk is
 * full; the signal's reason
 */
export function decodeRecording(encoded: EncodedRecording, limits: DecodingLimits, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const workerData = { ...encoded, maxSeconds: limits.maxSeconds };
    const resourceLimits = { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
    // A thread that reads client files gets no environment, as that contains the secrets of the process.
    const worker = new Worker(WORKER, { workerData, resourceLimits, env: {}, stdout: true, stderr: true });
    worker.stdout.resume();
    worker.stderr.resume();
    let isOver = false;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener('abort', abort);
      // Its files may be deleted only when it no longer writes them.
      void worker.terminate().then(settle, settle);
    };
    const refuse = (message: string): void => end(() => reject(refused(message)));
    const abort = (): void => end(() => reject(signal.reason as Error));
    const timer = setTimeout(() => refuse('the recording takes too long to decode'), limits.timeMs);
    // V8 limits the heap of a worker, but neither its buffers nor WebAssembly: only the size of the process includes those.
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > limits.memoryMb * 2 ** 20) refuse('the recording takes too much memory to decode');
    }, WATCH_MS);
    signal.addEventListener('abort', abort, { once: true });
    worker.on('message', (answer: { seconds: number } | { reason: Reason }) =>
      end(() => ('seconds' in answer ? resolve(answer.seconds) : reject(toError(answer.reason, limits)))),
    );
    worker.on('error', () => refuse(DAMAGED));
    worker.on('exit', () => refuse(DAMAGED));
  });
}

const DAMAGED = 'the recording is damaged or contains no audio';

const UNSUPPORTED = 'the codec of the recording has no decoder here; possible are wav, mp3, flac, ogg (Opus and Vorbis) and webm (Opus)';

function toError(reason: Reason, { maxSeconds }: DecodingLimits): GatewayError {
  if (reason === 'unsupported') return new UnsupportedCodec('AUDIO_VALIDATION_FAILED', UNSUPPORTED, { param: 'file' });
  if (reason === 'no-room') return new GatewayError('SERVICE_UNAVAILABLE', 'the recording could not be stored');
  return refused(reason === 'damaged' ? DAMAGED : `the recording is longer than ${maxSeconds} seconds`);
}

function refused(message: string): GatewayError {
  return new GatewayError('AUDIO_VALIDATION_FAILED', message, { param: 'file' });
}
