import { GatewayError } from '@parley/protos/errors';

/** Formats of audio responses. */
export type SpeechFormat = 'wav' | 'mp3' | 'opus' | 'flac' | 'pcm';

/** Formats that every provider supports (ADR 0051). */
export const SPEECH_FORMATS: readonly SpeechFormat[] = ['wav', 'mp3', 'opus', 'flac', 'pcm'];

/** Formats of OpenAI's API. */
const KNOWN: readonly string[] = ['wav', 'mp3', 'opus', 'aac', 'flac', 'pcm'];

/** The sample rate of OpenAI's PCM in Hz, which has no header. */
export const PCM_SAMPLE_RATE_HZ = 24_000;

/** Media types; Opus is in Ogg (RFC 7845, section 9). */
export const MIME_TYPES: Record<SpeechFormat, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  pcm: `audio/pcm;rate=${PCM_SAMPLE_RATE_HZ}`,
};

/** Returns the requested format if it is one of OpenAI's; `wav` for an empty text. @throws VALIDATION_ERROR for any other */
export function requireKnownFormat(requested: string): string {
  const format = requested || 'wav';
  if (KNOWN.includes(format)) return format;
  throw new GatewayError('VALIDATION_ERROR', `response_format must be one of ${KNOWN.join(', ')}`, { param: 'response_format' });
}

/** Returns the format of the audio: WAV when the requested format has no encoder. */
export function toSupportedFormat(requested: string): SpeechFormat {
  return SPEECH_FORMATS.find((one) => one === requested) ?? 'wav';
}
