import { GatewayError } from '@parley/protos/errors';
import { type PcmAudio } from '../domain/pcm-audio.ts';
import { type EnginePool } from '../engines/engine-pool.ts';
import { MIME_TYPES, PCM_SAMPLE_RATE_HZ, type SpeechFormat } from './formats.ts';
import { wavHeader } from './wav.ts';

/** Encoded audio, ready to be sent. */
export interface EncodedSpeech {
  mimeType: string;
  chunks: Buffer[];
  sizeBytes: number;
  durationMs: number;
}

/**
 * Encodes samples in a format; formats that need computation are encoded in another process.
 * @throws INTERNAL_ERROR when the encoder fails; the signal's reason
 */
export async function encodeSpeech(
  engines: EnginePool,
  speech: PcmAudio,
  format: SpeechFormat,
  signal: AbortSignal,
): Promise<EncodedSpeech> {
  const bytes = speech.pcm.reduce((sum, { length }) => sum + length, 0);
  const chunks = await encoded(engines, speech, format, bytes, signal);
  return {
    mimeType: MIME_TYPES[format],
    chunks,
    sizeBytes: chunks.reduce((sum, { length }) => sum + length, 0),
    durationMs: Math.round((bytes / 2 / speech.sampleRate) * 1_000),
  };
}

async function encoded(engines: EnginePool, { pcm, sampleRate }: PcmAudio, format: SpeechFormat, bytes: number, signal: AbortSignal) {
  if (format === 'wav') return [wavHeader(bytes, sampleRate), ...pcm];
  if (format === 'pcm' && sampleRate === PCM_SAMPLE_RATE_HZ) return pcm;
  try {
    const task = { pcm: Buffer.concat(pcm), sampleRate, format, rate: PCM_SAMPLE_RATE_HZ };
    const { bytes: result } = await engines.run<{ bytes: Uint8Array }>('encode', task, signal);
    return [Buffer.from(result)];
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new GatewayError('INTERNAL_ERROR', 'the audio could not be encoded', { cause });
  }
}
