import { DAILY_CHARACTERS } from './tables/audio.ts';
import { IN_HAND } from './tables/transcription.ts';

/** Gives a gateway short timeouts and low limits, so that its errors come soon. */
export const STRICT: Readonly<Record<string, string>> = {
  PARLEY_HEADERS_TIMEOUT: '3s',
  PARLEY_UPSTREAM_ACCEPTANCE_MS: '5s',
  PARLEY_BUSY_MS: '3s',
  PARLEY_TRANSCRIPTION_TIMEOUT: '10s',
  PARLEY_TRANSCRIPTION_IN_HAND: String(IN_HAND),
  PARLEY_POCKETSPHINX: 'none',
  PARLEY_AUDIO_DAILY_CHARACTERS: String(DAILY_CHARACTERS),
  PARLEY_TRUSTED_PROXIES: '127.0.0.1',
  PARLEY_THROTTLE_TTS_RATE_LIMIT: '60 per 1 minute',
  THROTTLE_ERROR_FORMAT: 'object',
};
