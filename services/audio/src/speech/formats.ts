import { GatewayError } from '@parley/protos/errors';

/** Formats of audio responses. */
export type SpeechFormat = 'wav' | 'mp3' | 'pcm';

/** Formats that every provider supports. */
export const SPEECH_FORMATS: readonly SpeechFormat[] = ['wav', 'mp3', 'pcm'];

/** Formats of OpenAI's API. */
const KNOWN: readonly string[] = ['wav', 'mp3', 'opus', 'aac', 'flac', 'pcm'];

/** The sample rate of OpenAI's PCM, which has no header. */
export const PCM_RATE = 24_000;

export const MIME_TYPES: Record<SpeechFormat, string> = { wav: 'audio/wav', mp3: 'audio/mpeg', pcm: `audio/pcm;rate=${PCM_RATE}` };

/** The format of a synchronous request. @throws VALIDATION_ERROR naming what is possible */
export function exactFormat(requested: string): SpeechFormat {
  const format = SPEECH_FORMATS.find((one) => one === (requested || 'wav'));
  if (format) return format;
  throw new GatewayError('VALIDATION_ERROR', `response_format must be one of ${SPEECH_FORMATS.join(', ')}`, { param: 'response_format' });
}

/** The requested format of a job, if it is one of OpenAI's. @throws VALIDATION_ERROR */
export function knownFormat(requested: string): string {
  const format = requested || 'wav';
  if (KNOWN.includes(format)) return format;
  throw new GatewayError('VALIDATION_ERROR', `response_format must be one of ${KNOWN.join(', ')}`, { param: 'response_format' });
}

/** The format of a job's audio: WAV where the requested format is not available. */
export function coercedFormat(requested: string): SpeechFormat {
  return SPEECH_FORMATS.find((one) => one === requested) ?? 'wav';
}
