import { type Caller } from '@parley/kit/rpc/call';
import { LRUCache } from 'lru-cache';
import { type SpeechVoice } from '../../domain/voice.ts';
import { type ChatRoutingClient, withSpeechConnection } from '../speech-connection.ts';
import { type SpeechProvider } from '../speech-provider.ts';
import { OPTIONS_SCHEMA } from './options.ts';

const NAME = 'elevenlabs';

/** How long the list of voices is cached, in milliseconds; added voices appear after that time. */
const VOICES_MS = 60_000;
/** Maximum number of cached voices of all workspaces, about 10 MB. */
const MAX_VOICES = 50_000;

/** Creates the provider that uses ElevenLabs over a connection of the workspace. Its client is loaded on first use. */
export function elevenLabsProvider(routing: ChatRoutingClient): SpeechProvider {
  const kept = new LRUCache<string, readonly SpeechVoice[]>({
    ...{ ttl: VOICES_MS, maxSize: MAX_VOICES, sizeCalculation: (voices) => voices.length + 1 },
  });
  const use = (caller: Caller, signal: AbortSignal, traceparent = '') => ({ routing, provider: NAME, caller, signal, traceparent });
  return {
    name: NAME,
    kind: 'connection',
    languages: ['mul'],
    options: OPTIONS_SCHEMA,
    voices: async (caller, signal) => {
      const known = kept.get(caller.workspaceId);
      if (known) return known;
      const { listVoices } = await import('./list-voices.ts');
      const voices = await withSpeechConnection(use(caller, signal), (connection) => listVoices(connection, signal));
      kept.set(caller.workspaceId, voices);
      return voices;
    },
    speak: async (request, context) => {
      const { speak } = await import('./speak.ts');
      return withSpeechConnection(use(context.caller, context.signal, context.traceparent), (connection) =>
        speak(connection, request, context),
      );
    },
  };
}
