import { type Call } from '@parley/kit/rpc/call';
import { type Provider } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';
import { MAX_JOB_CHARACTERS } from '../domain/speech-input.ts';
import { type ProviderStatus } from '../providers/provider-status.ts';
import { SPEECH_FORMATS } from '../speech/formats.ts';

/** Timeout of listing a provider's voices, in milliseconds. */
const VOICES_MS = 3_000;

/** Converts a provider with its availability to its message. Counts no voices when they cannot be listed in time. */
export async function toProvider({ provider, reason, isDefault }: ProviderStatus, { caller, signal }: Call): Promise<Provider> {
  const voices = await provider.voices(caller, AbortSignal.any([signal, AbortSignal.timeout(VOICES_MS)])).catch(() => {
    signal.throwIfAborted();
    return [];
  });
  return {
    ...{ name: provider.name, kind: provider.kind, available: reason === undefined, reason: reason ?? '', isDefault },
    ...{ responseFormats: [...SPEECH_FORMATS], languages: [...provider.languages], maxInputCharacters: MAX_JOB_CHARACTERS },
    ...{ optionsSchema: JSON.stringify(z.toJSONSchema(provider.options)), supportsSpeed: true, voices: voices.length },
  };
}
