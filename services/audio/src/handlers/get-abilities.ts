import type { Call } from '@parley/kit/rpc/call';
import type { Abilities, GetAbilitiesRequest } from '@parley/protos/audio/v1/audio';
import type { Deps } from '../deps.ts';

/** Answers what of audio works for the caller's workspace now (spec §2.6). */
export async function getAbilities({ providers }: Deps, _request: GetAbilitiesRequest, { caller, signal }: Call): Promise<Abilities> {
  const speech = await providers.defaultOf(caller, signal);
  const transcription = { transcription: false, transcriptionProvider: '', transcriptionReason: 'an engine is missing' };
  return { speech: speech !== undefined, speechProvider: speech?.name ?? '', ...transcription };
}
