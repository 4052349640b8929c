import { type Route } from '../http/router.ts';
import { withApiKey } from '../openai/with-api-key.ts';
import { createSpeech } from './create-speech.ts';
import { createTranscription } from './create-transcription.ts';

/** Routes of speech and transcription, in the style of the OpenAI API. */
export const audioRoutes: readonly Route[] = [
  { method: 'POST', path: '/v1/audio/speech', handle: withApiKey(createSpeech) },
  { method: 'POST', path: '/v1/audio/transcriptions', handle: withApiKey(createTranscription) },
];
