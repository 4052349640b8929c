import { type EnginePool } from '../engines/engine-pool.ts';
import { type EncodedSpeech, encodeSpeech } from '../speech/encode-speech.ts';
import { type SpeechFormat } from '../speech/formats.ts';
import { type SpeechContext, type SpeechProvider, type SpeechRequest } from './speech-provider.ts';

/** Synthesizes a text and encodes it in a format. @throws the errors of the provider; the signal's reason */
export async function synthesizeSpeech(
  engines: EnginePool,
  provider: SpeechProvider,
  request: SpeechRequest,
  format: SpeechFormat,
  context: SpeechContext,
): Promise<EncodedSpeech> {
  const speech = await provider.speak(request, context);
  return encodeSpeech(engines, speech, format, context.signal);
}
