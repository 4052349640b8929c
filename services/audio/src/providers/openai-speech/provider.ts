import { z } from 'zod';
import { type PcmAudio } from '../../domain/pcm-audio.ts';
import { splitText } from '../../domain/split-text.ts';
import { OPENAI_VOICE_GENDERS, type SpeechVoice } from '../../domain/voice.ts';
import { joinSpeech } from '../../speech/join-speech.ts';
import { type ChatRoutingClient, withSpeechConnection } from '../speech-connection.ts';
import { type SpeechContext, type SpeechProvider, type SpeechRequest } from '../speech-provider.ts';
import { requestSpeech } from './request-speech.ts';

const NAME = 'openai-speech';

const OPTIONS = z.strictObject({
  instructions: z.string().max(4_096).optional().describe('How the voice is to sound, for models that take it.'),
  speed: z.number().min(0.25).max(4).optional().describe('How fast it speaks; 1 is the usual.'),
});

/** Maximum number of characters per request, below the 4,096 that such servers accept. */
const PASSAGE = 3_500;

const VOICES: readonly SpeechVoice[] = Object.entries(OPENAI_VOICE_GENDERS).map(([id, gender]) => ({
  ...{ id, gender, name: `${id[0]?.toUpperCase()}${id.slice(1)}`, language: 'mul', dialect: '', sampleRate: 24_000 },
}));

/** Creates the provider that uses any server with `/v1/audio/speech`, over a connection of the workspace. */
export function openaiSpeechProvider(routing: ChatRoutingClient): SpeechProvider {
  return {
    name: NAME,
    kind: 'connection',
    languages: ['mul'],
    options: OPTIONS,
    voices: async () => VOICES,
    speak: (request, context) => speak(routing, request, context),
  };
}

function speak(routing: ChatRoutingClient, request: SpeechRequest, { onProgress, ...use }: SpeechContext): Promise<PcmAudio> {
  const { input, voice, model } = request;
  const { instructions = '', speed = request.speed } = OPTIONS.parse(request.options);
  return withSpeechConnection({ routing, provider: NAME, ...use }, async (connection) => {
    const parts: PcmAudio[] = [];
    let spoken = 0;
    for (const text of splitText(input, PASSAGE)) {
      const passage = { input: text, voice, model: model || (connection.models[0] ?? 'tts-1'), speed, instructions };
      parts.push(await requestSpeech(connection, passage, use.signal));
      spoken += text.length;
      onProgress(spoken / input.length);
    }
    return joinSpeech(parts);
  });
}
