import { GatewayError } from '@parley/protos/errors';

/** What audio can leave as. */
export type SpeechFormat = 'wav' | 'mp3' | 'pcm';

/** What every provider can be had in. */
export const SPEECH_FORMATS: readonly SpeechFormat[] = ['wav', 'mp3', 'pcm'];

/** What OpenAI's clients may ask for. */
const KNOWN: readonly string[] = ['wav', 'mp3', 'opus', 'aac', 'flac', 'pcm'];

/** OpenAI's PCM has this rate, and no header that could say so. */
export const PCM_RATE = 24_000;

export const MIME_TYPES: Record<SpeechFormat, string> = { wav: 'audio/wav', mp3: 'audio/mpeg', pcm: `audio/pcm;rate=${PCM_RATE}` };

/** The format of a synchronous request. @throws VALIDATION_ERROR naming what is possible */
export function exactFormat(asked: string): SpeechFormat {
  const format = SPEECH_FORMATS.find((one) => one === (asked || 'wav'));
  if (format) return format;
  throw new GatewayError('VALIDATION_ERROR', `response_format must be one of ${SPEECH_FORMATS.join(', ')}`, { param: 'response_format' });
}

/** What was asked for a job, when it is a format at all. @throws VALIDATION_ERROR */
export function knownFormat(asked: string): string {
  const format = asked || 'wav';
  if (KNOWN.includes(format)) return format;
  throw new GatewayError('VALIDATION_ERROR', `response_format must be one of ${KNOWN.join(', ')}`, { param: 'response_format' });
}

/** The format that a job gets: WAV where what it asked for cannot be made (spec §4.6). */
export function coercedFormat(asked: string): SpeechFormat {
  return SPEECH_FORMATS.find((one) => one === asked) ?? 'wav';
}
