import { type Call } from '@parley/kit/rpc/call';
import { type ListVoicesRequest, type ListVoicesResponse } from '@parley/protos/audio/v1/audio';
import { type Deps } from '../deps.ts';

/** Returns the voices of a provider; a dialect matches in full or by its language. @throws AUDIO_PROVIDER_NOT_FOUND */
export async function listVoices({ providers }: Deps, request: ListVoicesRequest, { caller, signal }: Call): Promise<ListVoicesResponse> {
  const provider = providers.getProvider(request.provider);
  const [dialect, gender] = [request.dialect.toLowerCase(), request.gender.toLowerCase()];
  const voices = await provider.voices(caller, signal);
  const matching = voices.filter(
    (voice) =>
      (dialect === '' || [voice.dialect.toLowerCase(), voice.language].includes(dialect)) && (gender === '' || voice.gender === gender),
  );
  return { voices: matching.map((voice) => ({ ...voice, provider: provider.name })) };
}
