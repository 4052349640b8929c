import type { Caller } from '@parley/kit/rpc/call';
import { toGatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { splitText } from '../../domain/split-text.ts';
import { OPENAI_VOICES, type SpeechVoice } from '../../domain/voice.ts';
import type { Speech, SpeechContext, SpeechProvider, SpeechRequest } from '../provider.ts';
import { type Routing, withConnection } from './connection.ts';
import { joinSpeech } from '../../speech/join-speech.ts';
import { requestSpeech } from './request-speech.ts';
import { isServing } from '../../domain/is-serving.ts';

const OPTIONS = z.strictObject({
  instructions: z.string().max(4_096).optional().describe('How the voice is to sound, for models that take it.'),
  speed: z.number().min(0.25).max(4).optional().describe('How fast it speaks; 1 is the usual.'),
});

/** Below the 4,096 characters that such servers take. */
const PASSAGE = 3_500;

const VOICES: readonly SpeechVoice[] = Object.entries(OPENAI_VOICES).map(([id, gender]) => ({
  ...{ id, gender, name: `${id[0]?.toUpperCase()}${id.slice(1)}`, language: 'mul', dialect: '', sampleRate: 24_000 },
}));

/** Any server with `/v1/audio/speech`, over a connection of the workspace. */
export function openaiSpeechProvider(routing: Routing): SpeechProvider {
  return {
    name: 'openai-speech',
    kind: 'connection',
    languages: ['mul'],
    options: OPTIONS,
    unavailable: (caller, signal) => unavailable(routing, caller, signal),
    voices: async () => VOICES,
    speak: (request, context) => speak(routing, request, context),
  };
}

/** Looks without taking one: whoever acquires a connection that is half open has to use it. */
async function unavailable(routing: Routing, caller: Caller, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { connections } = await routing.listConnections(
      { provider: 'openai-speech', status: '', limit: 200, offset: 0 },
      { caller, signal },
    );
    if (connections.some(isServing)) return undefined;
    return connections.length === 0 ? 'no_connected_account' : 'account_disabled';
  } catch (error) {
    // Without chat-routing the embedded engine still speaks.
    return toGatewayError(error).code;
  }
}

function speak(routing: Routing, request: SpeechRequest, { caller, signal, onProgress }: SpeechContext): Promise<Speech> {
  const { input, voice, model } = request;
  const { instructions = '', speed = request.speed } = OPTIONS.parse(request.options);
  return withConnection(routing, caller, signal, async (connection) => {
    const parts: Speech[] = [];
    let spoken = 0;
    for (const text of splitText(input, PASSAGE)) {
      const passage = { input: text, voice, model: model || (connection.models[0] ?? 'tts-1'), speed, instructions };
      parts.push(await requestSpeech(connection, passage, signal));
      spoken += text.length;
      onProgress(spoken / input.length);
    }
    return joinSpeech(parts);
  });
}
