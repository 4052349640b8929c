import type { Call } from '@parley/kit/rpc/call';
import type { Provider } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';
import { MAX_JOB_CHARACTERS } from '../domain/input.ts';
import type { SpeechProvider } from '../providers/provider.ts';
import { SPEECH_FORMATS } from '../speech/formats.ts';

/** A provider as the caller's workspace may use it. */
export async function toProvider(provider: SpeechProvider, isDefault: boolean, { caller, signal }: Call): Promise<Provider> {
  const reason = await provider.unavailable(caller, signal);
  const voices = await provider.voices(caller, signal);
  return {
    ...{ name: provider.name, kind: provider.kind, available: reason === undefined, reason: reason ?? '', isDefault },
    ...{ responseFormats: [...SPEECH_FORMATS], languages: [...provider.languages], maxInputCharacters: MAX_JOB_CHARACTERS },
    ...{ optionsSchema: JSON.stringify(z.toJSONSchema(provider.options)), supportsSpeed: true, voices: voices.length },
  };
}
