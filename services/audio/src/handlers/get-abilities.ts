import { type Call } from '@parley/kit/rpc/call';
import { type Abilities, type GetAbilitiesRequest } from '@parley/protos/audio/v1/audio';
import { type Deps } from '../deps.ts';
import { getTranscriptionAbilities } from './get-transcription-abilities.ts';

/** Returns the audio features that are available to the caller's workspace now. */
export async function getAbilities({ providers, transcriber }: Deps, _request: GetAbilitiesRequest, call: Call): Promise<Abilities> {
  const [standings, transcription] = await Promise.all([
    providers.listStatuses(call.caller, call.signal),
    getTranscriptionAbilities(transcriber, call),
  ]);
  const speech = standings.find(({ isDefault }) => isDefault);
  return { speech: speech !== undefined, speechProvider: speech?.provider.name ?? '', ...transcription };
}
